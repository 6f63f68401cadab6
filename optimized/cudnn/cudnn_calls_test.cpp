// Calls of the real cuDNN that take a handle, without a device: up to some point it only looks whether there is one, so
// that zeros do in its place. In a process of its own, as another version may read the handle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/context.hpp"
#include "optimized/cudnn/testing/elements.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {
namespace {

/// A layer whose weights are looked for.
struct WeightedLayer {
  cellproof_operator op;
  int cell, directions, biases, type, math;
  std::uint32_t flags;
  int I, H;

  Node node() const {
    Node made{};
    const auto count = [](int size) { return static_cast<std::size_t>(size); };
    made.op = op;
    made.size = {.T = 1, .N = 1, .I = count(I), .H = count(H), .D = count(directions)};
    if (biases == bias::both) made.inputs[CELLPROOF_B].type = CELLPROOF_FLOAT;
    return made;
  }
};

/// Every layer that we may ask for.
std::vector<WeightedLayer> weighted_layers(bool with_bfloat16) {
  std::vector<WeightedLayer> all;
  for (const auto& [op, cell] : {std::pair{CELLPROOF_LSTM, cell::lstm},
                                 {CELLPROOF_GRU, cell::gru},
                                 {CELLPROOF_RNN, cell::tanh},
                                 {CELLPROOF_RNN, cell::relu}})
    for (const int directions : {1, 2})
      for (const int biases : {bias::none, bias::both})
        for (const int type : {data::float32, data::float64, data::float16, data::bfloat16})
          for (const int kind : {math::standard, math::fma, math::tensor_op})
            for (const std::uint32_t flags : {0U, padded_io})
              for (const auto& [I, H] : {std::pair{1, 1}, {5, 7}, {24, 32}})
                if (type != data::bfloat16 || with_bfloat16)
                  all.push_back({op, cell, directions, biases, type, kind, flags, I, H});
  return all;
}

/// Looks for every part of a layer's weights where the packed formula says that it lies.
class PartsElsewhere {
 public:
  explicit PartsElsewhere(const CudnnApi& api) : api_(api) {}

  bool make_descriptors() {
    return api_.cudnnCreateRNNDescriptor(&rnn_) == 0 && api_.cudnnCreateTensorDescriptor(&matrix_) == 0 &&
           api_.cudnnCreateTensorDescriptor(&bias_) == 0;
  }

  /// Returns whether cuDNN takes the layer.
  bool look(const WeightedLayer& layer) {
    const int precision = layer.type == data::float64 ? data::float64 : data::float32;
    std::size_t bytes = 0, expected = 0;
    if (api_.cudnnSetRNNDescriptor_v8(rnn_, algorithm::standard, layer.cell, layer.biases, layer.directions - 1,
                                      linear_input, layer.type, precision, layer.math, layer.I, layer.H, layer.H, 1,
                                      nullptr, layer.flags) != 0 ||
        api_.cudnnGetRNNWeightSpaceSize(handle_.data(), rnn_, &bytes) != 0)
      return false;
    for (const WeightBlock& block : weight_blocks(layer.node())) {
      ++parts_;
      expected += static_cast<std::size_t>(block.count) * bytes_of(layer.type);
      if (!is_in_place(layer, block, bytes))
        found_ += "cell " + std::to_string(layer.cell) + " type " + std::to_string(layer.type) + " part " +
                  std::to_string(block.id) + " of direction " + std::to_string(block.direction) + "; ";
    }
    if (bytes != expected) found_ += "space of cell " + std::to_string(layer.cell) + "; ";
    return true;
  }

  std::string text() const { return found_.empty() ? std::to_string(parts_) + " parts" : found_; }

 private:
  bool is_in_place(const WeightedLayer& layer, const WeightBlock& block, std::size_t bytes) {
    void *matrix_at = nullptr, *bias_at = nullptr;
    const Status status = api_.cudnnGetRNNWeightParams(handle_.data(), rnn_, block.direction, bytes, space_.data(),
                                                       block.id, matrix_, &matrix_at, bias_, &bias_at);
    const bool is_bias = block.input == CELLPROOF_B;
    int type = -1, rank = -1, shape[3]{}, strides[3]{};
    api_.cudnnGetTensorNdDescriptor(is_bias ? bias_ : matrix_, 3, &type, &rank, shape, strides);
    const auto columns = static_cast<int>(block.count / layer.H);
    const auto* const place = space_.data() + block.to * static_cast<std::int64_t>(bytes_of(layer.type));
    return status == 0 && (is_bias ? bias_at : matrix_at) == place && type == layer.type && rank == 3 &&
           shape[0] == 1 && shape[1] == layer.H && shape[2] == columns && strides[1] == columns && strides[2] == 1;
  }

  const CudnnApi& api_;
  std::vector<char> handle_ = std::vector<char>(1 << 20), space_ = std::vector<char>(1 << 22);
  RnnDescriptor rnn_ = nullptr;
  TensorDescriptor matrix_ = nullptr, bias_ = nullptr;
  std::size_t parts_ = 0;
  std::string found_;
};

/// Weights that lie elsewhere.
std::string parts_elsewhere(const CudnnApi& api) {
  PartsElsewhere parts(api);
  if (!parts.make_descriptors()) return "no descriptor";
  for (const WeightedLayer& layer : weighted_layers(api.cudnnGetVersion() >= first_with_bfloat16))
    if (!parts.look(layer)) return "a layer is refused";
  return parts.text();
}

/// The words of `work` in a process of its own, and how that ended.
template <class Work>
std::pair<std::string, int> said_by_a_child(Work work) {
  int ends[2];
  if (pipe(ends) != 0) return {"no pipe", 0};
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = work().substr(0, 1000);
    _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::array<char, 1001> text{};
  const ssize_t length = read(ends[0], text.data(), text.size() - 1);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))), status};
}

/// A layer on four sequences of seven steps.
struct CalledLayer {
  int cell = cell::lstm, directions = direction::one, layout = layout::time_first;
  std::uint32_t flags = padded_io;
  std::vector<int> lengths{7, 7, 7, 7};
};

/// Calls with such a layer.
class CallsOfALayer {
 public:
  CallsOfALayer(const CudnnApi& api, const CalledLayer& layer) : api_(api) {
    const int H = 8, N = static_cast<int>(layer.lengths.size()), both = layer.directions + 1;
    const int shape[] = {both, N, H}, strides[] = {N * H, H, 1};
    double zero = 0;
    api.cudnnCreateRNNDescriptor(&rnn_);
    api.cudnnCreateTensorDescriptor(&state_);
    api.cudnnSetRNNDescriptor_v8(rnn_, algorithm::standard, layer.cell, bias::both, layer.directions, linear_input,
                                 data::float32, data::float32, math::fma, H, H, H, 1, nullptr, layer.flags);
    for (const auto& [made, width] : {std::pair{&x_, H}, {&y_, both * H}}) {
      api.cudnnCreateRNNDataDescriptor(made);
      api.cudnnSetRNNDataDescriptor(*made, data::float32, layer.layout, 7, N, width, layer.lengths.data(), &zero);
    }
    api.cudnnSetTensorNdDescriptor(state_, data::float32, 3, shape, strides);
  }
  CallsOfALayer(const CallsOfALayer&) = delete;
  CallsOfALayer& operator=(const CallsOfALayer&) = delete;
  ~CallsOfALayer() {
    api_.cudnnDestroyRNNDescriptor(rnn_);
    api_.cudnnDestroyTensorDescriptor(state_);
    for (RnnDataDescriptor const made : {x_, y_}) api_.cudnnDestroyRNNDataDescriptor(made);
  }

  /// It is written before a device is asked for, which fails.
  std::size_t workspace() {
    std::size_t bytes = 0, reserve = 0;
    api_.cudnnGetRNNTempSpaceSizes(memory_.data(), rnn_, inference, x_, &bytes, &reserve);
    return bytes;
  }

  /// The status with the condition that failed.
  std::string forward() {
    std::size_t weights = 0;
    api_.cudnnGetRNNWeightSpaceSize(memory_.data(), rnn_, &weights);
    void* const memory = memory_.data();
    const Status status =
        api_.cudnnRNNForward(memory, rnn_, inference, nullptr, x_, memory, y_, memory, state_, memory, memory, state_,
                             memory, memory, weights, memory, workspace(), memory, 0, nullptr);
    std::array<char, 512> why{};
    api_.cudnnGetLastErrorString(why.data(), why.size() - 1);
    return std::to_string(status) + " " + why.data();
  }

 private:
  const CudnnApi& api_;
  RnnDescriptor rnn_ = nullptr;
  RnnDataDescriptor x_ = nullptr, y_ = nullptr;
  TensorDescriptor state_ = nullptr;
  std::vector<char> memory_ = std::vector<char>(1 << 20);
};

/// Bytes for full lengths, for others, for another cell, and for two directions.
std::string workspaces(const CudnnApi& api) {
  std::string text;
  for (const CalledLayer& layer : {CalledLayer{}, CalledLayer{.lengths = {7, 3, 5, 1}}, CalledLayer{.cell = cell::gru},
                                   CalledLayer{.directions = direction::two}})
    text += std::to_string(CallsOfALayer(api, layer).workspace()) + " ";
  return text;
}

/// Answers where the flag is missing: batch-major, and with lengths below T.
std::string refusals_without_padding(const CudnnApi& api) {
  return CallsOfALayer(api, {.layout = layout::batch_first, .flags = 0}).forward() + "; " +
         CallsOfALayer(api, {.flags = 0, .lengths = {7, 3, 5, 1}}).forward();
}

class CudnnCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opened_.absent.empty()) GTEST_SKIP() << opened_.absent;
  }

  /// The real library's words; "" where it cannot be asked this way.
  template <class Ask>
  std::string said_by_cudnn(Ask ask) {
    const auto [text, status] = said_by_a_child([&] { return ask(opened_.api); });
    const bool is_known = opened_.api.cudnnGetVersion() / 100 == 919;
    EXPECT_TRUE(WIFEXITED(status) || !is_known) << status;
    return WIFEXITED(status) ? text : "";
  }

  const OpenedCudnn opened_ = open_cudnn();
};

constexpr const char* reads_the_handle = "this version of cuDNN reads the handle before it answers";

TEST_F(CudnnCalls, FindEveryPartOfTheWeightsWhereItWasMeasured) {
  const std::string said = said_by_cudnn(parts_elsewhere);
  if (said.empty()) GTEST_SKIP() << reads_the_handle;
  EXPECT_EQ(said, opened_.api.cudnnGetVersion() < first_with_bfloat16 ? "8748 parts" : "11664 parts");
}

/// The numbers of a text, each of which must be there.
std::vector<unsigned long> numbers_in(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<unsigned long>(in), {}};
}

/// The plan asks for it anew with each lengths.
TEST_F(CudnnCalls, GiveEachLengthsCellAndDirectionsAWorkspaceOfTheirOwn) {
  if (*real_device().absence() == '\0') GTEST_SKIP() << "there is a device here, where each plan asks";
  const std::string said = said_by_cudnn(workspaces);
  if (said.empty()) GTEST_SKIP() << reads_the_handle;
  for (const std::string& all : {said, workspaces(testing::stand_in_cudnn())}) {
    const std::vector<unsigned long> bytes = numbers_in(all);
    ASSERT_EQ(bytes.size(), 4U) << all;
    EXPECT_LT(bytes[1], bytes[0]) << all;
    EXPECT_LT(bytes[2], bytes[0]) << all;
    EXPECT_GT(bytes[3], bytes[0]) << all;
  }
}

TEST_F(CudnnCalls, AreRefusedWithoutPaddingWhereRowsNeedIt) {
  if (*real_device().absence() == '\0') GTEST_SKIP() << "there is a device here, which probe D asks";
  const std::string said = said_by_cudnn(refusals_without_padding);
  if (said.empty()) GTEST_SKIP() << reads_the_handle;
  for (const std::string& both : {said, refusals_without_padding(testing::stand_in_cudnn())})
    EXPECT_THAT(both, ::testing::MatchesRegex("2000 .*paddingMode.*; 2000 .*paddingMode.*"));
}

}  // namespace
}  // namespace cellproof::cudnn
