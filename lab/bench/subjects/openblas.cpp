#include <dlfcn.h>

#include <algorithm>

#include "engines/node/node_description.hpp"
#include "lab/bench/subjects/make.hpp"
#include "lab/bench/subjects/plain_cells.hpp"

namespace cellproof::lab::bench {
namespace {

constexpr int row_major = 101, as_stored = 111, transposed = 112;  // CBLAS's numbers

/// The few functions of OpenBLAS's C interface that are called.
class OpenBlas {
 public:
  explicit OpenBlas(int threads) {
    void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Unavailable("libopenblas.so.0 cannot be opened (Debian's libopenblas0-pthread)");
    sgemm_ = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
    const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    const auto config = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_config"));
    const auto core = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_corename"));
    if (sgemm_ == nullptr || set_threads == nullptr || config == nullptr || core == nullptr)
      throw Unavailable("libopenblas.so.0 is no OpenBLAS: it lacks cblas_sgemm or openblas_set_num_threads");
    set_threads(threads);
    config_ = config();
    core_ = core();
  }

  /// "0.3.21 Haswell": of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...", and the kernels that it chose.
  std::string version() const {
    const std::size_t begin = config_.find(' ') + 1;
    return config_.substr(begin, config_.find(' ', begin) - begin) + " " + core_;
  }

  /// out [m][n], rows `stride` apart, = out * keep + a [m][k] * weights. weights: [k][columns] or, transposed,
  /// [columns][k], of which n columns count.
  void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* weights,
                bool is_transposed, std::int64_t columns, float keep, float* out, std::int64_t stride) const {
    sgemm_(row_major, as_stored, is_transposed ? transposed : as_stored, static_cast<int>(m), static_cast<int>(n),
           static_cast<int>(k), 1, a, static_cast<int>(k), weights, static_cast<int>(is_transposed ? k : columns), keep,
           out, static_cast<int>(stride));
  }

 private:
  using Sgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a, int lda,
                         const float* b, int ldb, float beta, float* c, int ldc);
  Sgemm sgemm_ = nullptr;
  std::string config_, core_;
};

float* floats_of(Tensor& tensor) {
  return reinterpret_cast<float*>(tensor.bytes().data());
}
const float* floats_of(const Tensor& tensor) {
  return reinterpret_cast<const float*>(tensor.bytes().data());
}

/// [rows][columns] -> [columns][rows]
std::vector<float> transpose(const float* values, std::int64_t rows, std::int64_t columns) {
  std::vector<float> result(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      result[static_cast<std::size_t>(column * rows + row)] = values[row * columns + column];
  return result;
}

class OpenBlasPerStep : public Subject {
 public:
  OpenBlasPerStep(const Problem& problem, int threads)
      : problem_(problem),
        size_(dimensions_of(problem)),
        gates_(gate_count(problem.version.op)),
        after_(problem.attributes.linear_before_reset.value_or(0) != 0),
        constant_(problem.inputs[input::R].source == Source::Initializer),
        blas_(threads),
        outputs_(engines::empty_outputs(problem)) {
    if (is_quantised(problem.version.op)) throw Unavailable("OpenBLAS has no 8-bit product");
    if (problem.input(input::X)->type() != ElementType::Float) throw Unavailable("written for float only");
    const Attributes& a = problem.attributes;
    const bool plain = !a.activations && !a.clip && !a.input_forget && a.layout.value_or(0) == 0;
    for (const std::size_t position : {input::sequence_lens, input::initial_h, input::initial_c, input::P})
      if (!plain || problem.input(position) != nullptr)
        throw Unavailable("written without sequence lengths, initial states, peepholes, clip and other attributes");
    if (!outputs_[output::Y]) throw Unavailable("written to give Y");
    const std::int64_t width = gates_ * size_.H;
    x_sums_.resize(static_cast<std::size_t>(size_.T * size_.N * width));
    step_sums_.resize(static_cast<std::size_t>(size_.N * width));
    for (auto* const state : {&h_, &c_, &reset_}) state->resize(static_cast<std::size_t>(size_.N * size_.H));
    if (constant_) prepare_weights();
  }

  std::string version() const override { return blas_.version(); }

  void run() override {
    if (!constant_) add_biases();
    const bool reverse = problem_.attributes.direction == "reverse";
    for (std::int64_t d = 0; d < size_.D; ++d) walk(d, reverse || d == 1);
  }
  Outputs outputs() override { return outputs_; }

 private:
  /// Transposed once: OpenBLAS is faster on them.
  void prepare_weights() {
    const std::int64_t width = gates_ * size_.H;
    for (std::int64_t d = 0; d < size_.D; ++d) {
      W_.push_back(transpose(floats_of(*problem_.input(input::W)) + d * width * size_.I, width, size_.I));
      R_.push_back(transpose(floats_of(*problem_.input(input::R)) + d * width * size_.H, width, size_.H));
    }
    add_biases();
  }

  /// Both halves in one, but for GRU's last gate with linear_before_reset, whose recurrent half stays apart.
  void add_biases() {
    const std::int64_t width = gates_ * size_.H;
    bias_.assign(static_cast<std::size_t>(size_.D * width), 0);
    recurrent_bias_ = bias_;
    const Tensor* B = problem_.input(input::B);
    if (B == nullptr) return;
    for (std::int64_t d = 0; d < size_.D; ++d) {
      const float* const values = floats_of(*B) + d * 2 * width;
      for (std::int64_t k = 0; k < width; ++k) {
        const auto place = static_cast<std::size_t>(d * width + k);
        const bool apart = after_ && k >= 2 * size_.H;
        bias_[place] = apart ? values[k] : values[k] + values[width + k];
        if (apart) recurrent_bias_[place] = values[width + k];
      }
    }
  }

  void multiply_R(std::int64_t d, const float* states, std::int64_t first_column, std::int64_t columns, float* sums) {
    const std::int64_t width = gates_ * size_.H;
    const float* const given = floats_of(*problem_.input(input::R)) + d * width * size_.H;
    const float* const weights =
        constant_ ? R_[static_cast<std::size_t>(d)].data() + first_column : given + first_column * size_.H;
    blas_.multiply(size_.N, columns, size_.H, states, weights, !constant_, width, 1, sums + first_column, width);
  }

  void walk(std::int64_t d, bool reverse) {
    const auto& [T, N, I, H, D] = size_;
    const std::int64_t width = gates_ * H;
    const auto bias = bias_.begin() + d * width;
    for (std::int64_t row = 0; row < T * N; ++row) std::copy_n(bias, width, x_sums_.begin() + row * width);
    const float* const W = floats_of(*problem_.input(input::W)) + d * width * I;
    blas_.multiply(T * N, width, I, floats_of(*problem_.input(input::X)),
                   constant_ ? W_[static_cast<std::size_t>(d)].data() : W, !constant_, width, 1, x_sums_.data(), width);
    std::ranges::fill(h_, 0.F);
    std::ranges::fill(c_, 0.F);
    float* const Y = floats_of(*outputs_[output::Y]);
    for (std::int64_t step = 0; step < T; ++step) {
      const std::int64_t t = reverse ? T - 1 - step : step;
      advance(d, x_sums_.data() + t * N * width, Y + (t * D + d) * N * H);
      std::copy_n(Y + (t * D + d) * N * H, N * H, h_.begin());
    }
    if (outputs_[output::Y_h]) std::ranges::copy(h_, floats_of(*outputs_[output::Y_h]) + d * N * H);
    if (outputs_.size() > output::Y_c && outputs_[output::Y_c])
      std::ranges::copy(c_, floats_of(*outputs_[output::Y_c]) + d * N * H);
  }

  /// One step of all sequences: from h_ and the sums over X to `h`.
  void advance(std::int64_t d, float* sums, float* h) {
    const std::int64_t width = gates_ * size_.H;
    const auto N = static_cast<std::size_t>(size_.N), H = static_cast<std::size_t>(size_.H);
    if (problem_.version.op == Operator::LSTM) {
      multiply_R(d, h_.data(), 0, width, sums);
      plain_lstm_cell(sums, c_.data(), h, N, H);
    } else if (problem_.version.op == Operator::RNN) {
      multiply_R(d, h_.data(), 0, width, sums);
      plain_rnn_cell(sums, h, N, H);
    } else if (after_) {
      for (std::size_t n = 0; n < N; ++n)
        std::copy_n(recurrent_bias_.begin() + d * width, width,
                    step_sums_.begin() + static_cast<std::int64_t>(n) * width);
      multiply_R(d, h_.data(), 0, width, step_sums_.data());
      plain_gru_after(sums, step_sums_.data(), h_.data(), h, N, H);
    } else {
      multiply_R(d, h_.data(), 0, 2 * size_.H, sums);
      plain_gru_gates(sums, h_.data(), reset_.data(), N, H);
      multiply_R(d, reset_.data(), 2 * size_.H, size_.H, sums);
      plain_gru_state(sums, h_.data(), h, N, H);
    }
  }

  Problem problem_;
  Dimensions size_;
  std::int64_t gates_;
  bool after_;
  bool constant_;
  OpenBlas blas_;
  Outputs outputs_;
  std::vector<std::vector<float>> W_, R_;  ///< by direction, transposed: [I][gates * H], [H][gates * H]
  std::vector<float> bias_, recurrent_bias_;
  std::vector<float> x_sums_, step_sums_, h_, c_, reset_;
};

}  // namespace

std::unique_ptr<Subject> make_openblas(const Problem& problem, int threads) {
  return std::make_unique<OpenBlasPerStep>(problem, threads);
}

}  // namespace cellproof::lab::bench
