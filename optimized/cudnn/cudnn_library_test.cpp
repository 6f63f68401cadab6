// The answers of the real cuDNN without a device: its descriptors need none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/context.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"

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
    // Each in a folder of its own: the loader takes a path that it knows for what it loaded from there before.
    static int made = 0;
    folder_ = std::filesystem::path(CELLPROOF_BINARY_DIR) /
              ("broken-cudnn-" + std::to_string(getpid()) + "-" + std::to_string(++made));
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

TEST_F(CudnnLibrary, MakesNoHandleWithoutADevice) {
  if (*real_device().absence() == '\0') GTEST_SKIP() << "there is a device here";
  Handle handle = nullptr;
  EXPECT_EQ(opened_->api.cudnnCreate(&handle), status::not_initialized);
}

}  // namespace
}  // namespace cellproof::cudnn
