#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engines/node/node_description.hpp"
#include "lab/bench/subjects/make.hpp"
#include "lab/bench/subjects/onednn_api.hpp"

namespace cellproof::lab::bench {
namespace {

/// Opened after its OpenMP has been told how many threads there are.
OneDnn open_onednn(const std::string& library, int threads, std::string_view remedy) {
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  return OneDnn(library, remedy);
}

/// Which of ONNX's gates stands where in oneDNN: LSTM i, f, c, o there and i, o, f, c here; the others agree.
std::vector<std::int64_t> gates_in_its_order(Operator op) {
  if (op == Operator::LSTM) return {0, 2, 3, 1};
  if (op == Operator::GRU) return {0, 1, 2};
  return {0};
}

OneDnn::Cell cell_of(const Problem& problem) {
  if (problem.version.op == Operator::LSTM) return OneDnn::Cell::Lstm;
  if (problem.version.op == Operator::RNN) return OneDnn::Cell::RnnTanh;
  return problem.attributes.linear_before_reset.value_or(0) != 0 ? OneDnn::Cell::GruLinearBeforeReset
                                                                 : OneDnn::Cell::Gru;
}

OneDnn::Walk walk_of(const Problem& problem) {
  const std::string direction = problem.attributes.direction.value_or("forward");
  if (direction == "bidirectional") return OneDnn::Walk::BothConcatenated;
  return direction == "reverse" ? OneDnn::Walk::Reverse : OneDnn::Walk::Forward;
}

void refuse_what_it_lacks(const Problem& problem) {
  if (is_quantised(problem.version.op))
    throw Unavailable("its 8-bit LSTM is another one: static scales, and an output of 8 bits");
  if (problem.input(input::X)->type() != ElementType::Float) throw Unavailable("written for float only");
  if (problem.input(input::sequence_lens) != nullptr) throw Unavailable("it has no sequence lengths");
  const Attributes& a = problem.attributes;
  if (a.activations || a.clip || a.input_forget || a.layout.value_or(0) != 0)
    throw Unavailable("written without other activations, clip, input_forget and layout 1");
  for (const std::size_t position : {input::initial_h, input::initial_c, input::P})
    if (problem.input(position) != nullptr) throw Unavailable("written without initial states and peepholes");
}

class OneDnnLayer : public Subject {
 public:
  OneDnnLayer(const Problem& problem, int threads, const std::string& library, std::string_view remedy)
      : problem_(problem),
        size_(dimensions_of(problem)),
        gates_(gates_in_its_order(problem.version.op)),
        constant_(problem.inputs[input::R].source == Source::Initializer),
        api_(open_onednn(library, threads, remedy)),
        engine_(api_.cpu_engine()),
        stream_(api_.stream(engine_.get())) {
    refuse_what_it_lacks(problem);
    const auto& [T, N, I, H, D] = size_;
    const auto gates = static_cast<std::int64_t>(gates_.size());
    const bool apart = cell_of(problem) == OneDnn::Cell::GruLinearBeforeReset;
    const OneDnn::Dimensions w{1, D, I, gates, H}, r{1, D, H, gates, H}, b{1, D, gates + (apart ? 1 : 0), H};
    const OneDnn::Dimensions x{T, N, I}, y{T, N, D * H}, state{1, D, N, H};
    W_ = room(w), R_ = room(r), B_ = room(b), Y_ = room(y), Y_h_ = room(state), Y_c_ = room(state);
    const float* const given = floats(input::X);
    X_.assign(given, given + problem_.input(input::X)->size());

    const auto in_x = api_.dense(x), in_b = api_.dense(b), out_y = api_.dense(y), out_h = api_.dense(state);
    const auto any_w = api_.any_order(w), any_r = api_.any_order(r);
    layer_ = api_.describe({cell_of(problem), walk_of(problem), in_x, any_w, any_r, in_b, out_y, out_h, &out_h},
                           engine_.get());
    primitive_ = api_.primitive(layer_.get());
    const auto plain_w = api_.dense(w), plain_r = api_.dense(r);
    const auto chosen_w = api_.chosen_weights(layer_.get(), 0), chosen_r = api_.chosen_weights(layer_.get(), 1);
    order_w_ = api_.reorder(plain_w, chosen_w, engine_.get());
    order_r_ = api_.reorder(plain_r, chosen_r, engine_.get());
    plain_w_ = api_.memory(plain_w, engine_.get(), W_.data());
    plain_r_ = api_.memory(plain_r, engine_.get(), R_.data());
    ordered_w_ = api_.memory(chosen_w, engine_.get(), nullptr);
    ordered_r_ = api_.memory(chosen_r, engine_.get(), nullptr);
    x_ = api_.memory(in_x, engine_.get(), X_.data());
    b_ = api_.memory(in_b, engine_.get(), B_.data());
    y_ = api_.memory(out_y, engine_.get(), Y_.data());
    h_ = api_.memory(out_h, engine_.get(), Y_h_.data());
    bindings_ = {{OneDnn::source, x_.get()},      {OneDnn::weights, ordered_w_.get()},
                 {OneDnn::bias, b_.get()},        {OneDnn::recurrent_weights, ordered_r_.get()},
                 {OneDnn::destination, y_.get()}, {OneDnn::last_state, h_.get()}};
    if (problem.version.op == Operator::LSTM) {
      c_ = api_.memory(out_h, engine_.get(), Y_c_.data());
      bindings_.push_back({OneDnn::last_cell, c_.get()});
    }
    if (constant_) order_weights();
  }

  std::string version() const override { return api_.version(); }

  void run() override {
    if (!constant_) order_weights();
    api_.execute(primitive_.get(), stream_.get(), bindings_);
  }

  /// In ONNX's order of dimensions, which no run pays for.
  Outputs outputs() override {
    const auto& [T, N, I, H, D] = size_;
    auto outputs = engines::empty_outputs(problem_);
    if (outputs[output::Y]) {
      auto* const Y = reinterpret_cast<float*>(outputs[output::Y]->bytes().data());
      for (std::int64_t t = 0; t < T; ++t)
        for (std::int64_t d = 0; d < D; ++d)
          for (std::int64_t n = 0; n < N; ++n)
            std::copy_n(Y_.data() + ((t * N + n) * D + d) * H, H, Y + ((t * D + d) * N + n) * H);
    }
    const std::array states{&Y_h_, &Y_c_};
    for (std::size_t i = output::Y_h; i < outputs.size(); ++i)
      if (outputs[i]) std::ranges::copy(*states.at(i - 1), reinterpret_cast<float*>(outputs[i]->bytes().data()));
    return outputs;
  }

 private:
  static std::vector<float> room(const OneDnn::Dimensions& dimensions) {
    std::int64_t count = 1;
    for (const std::int64_t dimension : dimensions) count *= dimension;
    return std::vector<float>(static_cast<std::size_t>(count));
  }

  const float* floats(std::size_t position) const {
    return reinterpret_cast<const float*>(problem_.input(position)->bytes().data());
  }

  /// ONNX's [D][gates * H][length] to [D][length][gates][H].
  void lay_out(const float* from, std::int64_t length, std::vector<float>& to) const {
    const std::int64_t H = size_.H;
    const auto gates = static_cast<std::int64_t>(gates_.size());
    for (std::int64_t d = 0; d < size_.D; ++d)
      for (std::int64_t g = 0; g < gates; ++g)
        for (std::int64_t j = 0; j < H; ++j)
          for (std::int64_t k = 0; k < length; ++k)
            to[static_cast<std::size_t>(((d * length + k) * gates + g) * H + j)] =
                from[((d * gates + gates_[static_cast<std::size_t>(g)]) * H + j) * length + k];
  }

  void lay_out_bias() {
    if (problem_.input(input::B) == nullptr) return;
    const std::int64_t H = size_.H;
    const auto gates = static_cast<std::int64_t>(gates_.size());
    const bool apart = cell_of(problem_) == OneDnn::Cell::GruLinearBeforeReset;
    for (std::int64_t d = 0; d < size_.D; ++d) {
      const float* const of_x = floats(input::B) + d * 2 * gates * H;
      const float* const of_h = of_x + gates * H;
      float* const to = B_.data() + d * (gates + (apart ? 1 : 0)) * H;
      for (std::int64_t g = 0; g < gates; ++g) {
        const std::int64_t from = gates_[static_cast<std::size_t>(g)] * H;
        // With linear_before_reset the last gate's two halves are not added.
        const bool alone = apart && g == gates - 1;
        for (std::int64_t j = 0; j < H; ++j) to[g * H + j] = of_x[from + j] + (alone ? 0 : of_h[from + j]);
        if (alone) std::copy_n(of_h + from, H, to + gates * H);
      }
    }
  }

  void order_weights() {
    lay_out(floats(input::W), size_.I, W_);
    lay_out(floats(input::R), size_.H, R_);
    lay_out_bias();
    api_.execute(order_w_.get(), stream_.get(),
                 {{OneDnn::reorder_from, plain_w_.get()}, {OneDnn::reorder_to, ordered_w_.get()}});
    api_.execute(order_r_.get(), stream_.get(),
                 {{OneDnn::reorder_from, plain_r_.get()}, {OneDnn::reorder_to, ordered_r_.get()}});
  }

  Problem problem_;
  Dimensions size_;
  std::vector<std::int64_t> gates_;
  bool constant_;
  std::vector<float> X_, W_, R_, B_, Y_, Y_h_, Y_c_;
  OneDnn api_;
  OneDnn::Handle engine_, stream_, layer_, primitive_, order_w_, order_r_;
  OneDnn::Handle plain_w_, plain_r_, ordered_w_, ordered_r_, x_, b_, y_, h_, c_;
  std::vector<OneDnn::Binding> bindings_;
};

}  // namespace

std::unique_ptr<Subject> make_onednn(const Problem& problem, int threads, const std::string& library,
                                     std::string_view remedy) {
  return std::make_unique<OneDnnLayer>(problem, threads, library, remedy);
}

}  // namespace cellproof::lab::bench
