// The answers of the real cuDNN without a device: its descriptors need none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/context.hpp"
#include "optimized/cudnn/testing/elements.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {
namespace {

/// The same questions to the real cuDNN and to the stand-in, which must know what the real one refuses.
class CudnnLibrary : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { opened_ = new OpenedCudnn(open_cudnn()); }
  static void TearDownTestSuite() { delete opened_; }
  void SetUp() override {
    if (!opened_->absent.empty()) GTEST_SKIP() << opened_->absent;
  }

  struct Layer {
    int algorithm = algorithm::standard, cell = cell::lstm, bias = bias::both, directions = direction::one;
    int type = data::float32, precision = data::float32, math = math::fma;
    std::int32_t I = 10, H = 20, projection = 20;
    std::uint32_t flags = padded_io;
  };
  static Status set_layer(const CudnnApi& api, const Layer& l) {
    RnnDescriptor made = nullptr;
    EXPECT_EQ(api.cudnnCreateRNNDescriptor(&made), status::success);
    const Status answer =
        api.cudnnSetRNNDescriptor_v8(made, l.algorithm, l.cell, l.bias, l.directions, linear_input, l.type, l.precision,
                                     l.math, l.I, l.H, l.projection, 1, nullptr, l.flags);
    api.cudnnDestroyRNNDescriptor(made);
    return answer;
  }
  struct Sequences {
    int type = data::float32, layout = layout::time_first, T = 4, N = 3, vector = 10;
    std::vector<int> lengths{4, 2, 3};
  };
  static Status set_sequences(const CudnnApi& api, const Sequences& s) {
    RnnDataDescriptor made = nullptr;
    EXPECT_EQ(api.cudnnCreateRNNDataDescriptor(&made), status::success);
    double zero = 0;
    const Status answer =
        api.cudnnSetRNNDataDescriptor(made, s.type, s.layout, s.T, s.N, s.vector, s.lengths.data(), &zero);
    api.cudnnDestroyRNNDataDescriptor(made);
    return answer;
  }

  static void expect(Status kind, const Layer& layer) {
    EXPECT_EQ(status::category(set_layer(opened_->api, layer)), kind) << "cuDNN";
    EXPECT_EQ(status::category(set_layer(testing::stand_in_cudnn(), layer)), kind) << "the stand-in";
  }
  static void expect(Status kind, const Sequences& sequences) {
    EXPECT_EQ(status::category(set_sequences(opened_->api, sequences)), kind) << "cuDNN";
    EXPECT_EQ(status::category(set_sequences(testing::stand_in_cudnn(), sequences)), kind) << "the stand-in";
  }

  static inline OpenedCudnn* opened_ = nullptr;
};

TEST_F(CudnnLibrary, IsOfTheMajorVersionThatWeDeclare) {
  EXPECT_EQ(opened_->api.cudnnGetVersion() / 10000, static_cast<std::size_t>(major_version));
  EXPECT_TRUE(std::filesystem::path(opened_->file).is_absolute()) << opened_->file;
  EXPECT_GE(opened_->api.cudnnGetCudartVersion(), 12000U);
}

/// A folder with some parts of an installation.
class BrokenInstallation {
 public:
  explicit BrokenInstallation(const std::filesystem::path& whole) : whole_(whole.parent_path()) {
    folder_ = std::filesystem::path(CELLPROOF_BINARY_DIR) / ("broken-cudnn-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    // No link: the loader would find the rest beside what it leads to.
    std::filesystem::copy_file(whole, folder_ / "libcudnn.so.9");
    setenv("CELLPROOF_CUDNN_LIBRARY", (folder_ / "libcudnn.so.9").c_str(), 1);
  }
  BrokenInstallation(const BrokenInstallation&) = delete;
  BrokenInstallation& operator=(const BrokenInstallation&) = delete;
  ~BrokenInstallation() {
    unsetenv("CELLPROOF_CUDNN_LIBRARY");
    std::filesystem::remove_all(folder_);
  }
  void add(const std::string& part) const {
    std::filesystem::create_symlink(std::filesystem::canonical(whole_ / part), folder_ / part);
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path whole_, folder_;
};

TEST_F(CudnnLibrary, IsAbsentWithTheReasonWhereAPartIsMissing) {
  const BrokenInstallation broken(opened_->file);
  for (const std::string part : {"libcudnn_graph.so.9", "libcudnn_ops.so.9", "libcudnn_adv.so.9"}) {
    EXPECT_THAT(open_cudnn().absent, ::testing::MatchesRegex("no cuDNN 9: .*/" + part + ": cannot open.*")) << part;
    broken.add(part);
  }
  EXPECT_EQ(open_cudnn().absent, "");
  EXPECT_EQ(open_cudnn().file, std::filesystem::canonical(broken.folder() / "libcudnn.so.9"));
}

/// The installation that the fixture has opened is whole, and may be the loader's.
TEST_F(CudnnLibrary, IsAbsentWhereTheFolderThatIsNamedLacksAPartOfIt) {
  const BrokenInstallation broken(opened_->file);
  unsetenv("CELLPROOF_CUDNN_LIBRARY");
  setenv("CELLPROOF_CUDNN_DIRS", broken.folder().c_str(), 1);
  EXPECT_THAT(open_cudnn().absent, ::testing::MatchesRegex("no cuDNN 9: .*/libcudnn_graph.so.9: cannot open[^;]*"));
  broken.add("libcudnn_adv.so.9");
  std::filesystem::remove(broken.folder() / "libcudnn.so.9");
  EXPECT_THAT(open_cudnn().absent, ::testing::MatchesRegex("no cuDNN 9: .*/libcudnn.so.9: cannot open[^;]*"));
  unsetenv("CELLPROOF_CUDNN_DIRS");
}

TEST(CudnnPlaces, AreTheNamedOnesFirstWithEveryReason) {
  setenv("CELLPROOF_CUDNN_LIBRARY", "", 1);  // as if it were not set
  setenv("CELLPROOF_CUDNN_DIRS", "/no-such-folder::/nor-this", 1);
  const OpenedCudnn found = open_cudnn();
  if (found.absent.empty())
    EXPECT_TRUE(std::filesystem::exists(found.file)) << found.file;
  else
    EXPECT_THAT(found.absent, ::testing::StartsWith("no cuDNN 9: /no-such-folder has no libcudnn.so.9; /nor-this has "
                                                    "no libcudnn.so.9; libcudnn.so.9: cannot open"));
  setenv("CELLPROOF_CUDNN_LIBRARY", "/no-such-file.so", 1);
  EXPECT_THAT(open_cudnn().absent, ::testing::StartsWith("no cuDNN 9: /no-such-file.so: cannot open"));
  setenv("CELLPROOF_CUDNN_LIBRARY", "libm.so.6", 1);
  EXPECT_EQ(open_cudnn().absent, "no cuDNN 9: libm.so.6 has no cudnnGetVersion");
  unsetenv("CELLPROOF_CUDNN_LIBRARY");
  unsetenv("CELLPROOF_CUDNN_DIRS");
}

TEST_F(CudnnLibrary, TakesEveryLayerThatWeAskFor) {
  for (int cell = 0; cell < 4; ++cell)
    for (const int directions : {direction::one, direction::two})
      for (const int biases : {bias::none, bias::both})
        for (const auto& [type, precision] : {std::pair{data::float32, data::float32},
                                              {data::float64, data::float64},
                                              {data::float16, data::float32},
                                              {data::bfloat16, data::float32}})
          for (const int kind : {math::standard, math::fma, math::tensor_op}) {
            const Layer layer{.cell = cell,
                              .bias = biases,
                              .directions = directions,
                              .type = type,
                              .precision = precision,
                              .math = kind};
            if (type == data::bfloat16 && opened_->api.cudnnGetVersion() < first_with_bfloat16)
              EXPECT_EQ(status::category(set_layer(opened_->api, layer)), status::not_supported);
            else
              expect(status::success, layer);
          }
}

TEST_F(CudnnLibrary, RefusesWhatWeNeverAskFor) {
  expect(status::bad_param, Layer{.cell = 4});
  expect(status::bad_param, Layer{.I = 0});
  expect(status::bad_param, Layer{.projection = 0});
  expect(status::bad_param, Layer{.flags = 2});
  expect(status::not_supported, Layer{.type = data::float64, .precision = data::float32});
  expect(status::not_supported, Layer{.type = data::bfloat16, .precision = data::bfloat16});
  expect(status::not_supported, Layer{.projection = 21});
}

TEST_F(CudnnLibrary, TakesRaggedSequencesUpToItsMostSteps) {
  expect(status::success, Sequences{});
  expect(status::success, Sequences{.layout = layout::batch_first});
  expect(status::success, Sequences{.lengths = {0, 2, 3}});
  expect(status::success, Sequences{.T = most_steps});
  expect(status::not_supported, Sequences{.T = most_steps + 1});
  expect(status::bad_param, Sequences{.T = 0});
  expect(status::bad_param, Sequences{.N = 0});
  expect(status::bad_param, Sequences{.vector = 0});
  expect(status::bad_param, Sequences{.lengths = {5, 2, 3}});
  expect(status::bad_param, Sequences{.lengths = {4, -1, 3}});
}

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

/// Looks for every part of a layer's weights where the packed formula says that it lies. cuDNN only looks whether there
/// is a handle, so that zeros do in its place.
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

/// Weights that lie elsewhere; in a process of its own, as another version may read the handle.
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

TEST_F(CudnnLibrary, KeepsEveryPartOfTheWeightsWhereItWasMeasured) {
  const auto [text, status] = said_by_a_child([&] { return parts_elsewhere(opened_->api); });
  if (WIFSIGNALED(status) && opened_->api.cudnnGetVersion() / 100 != 919)
    GTEST_SKIP() << "this version of cuDNN needs a device to say where weights lie";
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(text, opened_->api.cudnnGetVersion() < first_with_bfloat16 ? "8748 parts" : "11664 parts");
}

TEST_F(CudnnLibrary, MakesNoHandleWithoutADevice) {
  if (*real_device().absence() == '\0') GTEST_SKIP() << "there is a device here";
  Handle handle = nullptr;
  EXPECT_EQ(opened_->api.cudnnCreate(&handle), status::not_initialized);
}

}  // namespace
}  // namespace cellproof::cudnn
