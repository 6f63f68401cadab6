#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/backend_test.hpp"
#include "corpus/files.hpp"
#include "corpus/testing/files.hpp"
#include "corpus/testing/npz.hpp"
#include "spec/case.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

/// Frameworks save arrays by name.
TEST(BackendTest, TakesInputsAndOutputsFromNumpyArchives) {
  const TemporaryFolder base;
  const std::filesystem::path directory = base.path() / "layer", data = directory / "test_data_set_0";
  const Problem problem = make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 2, 1, 3, 2));
  Tensor y(ElementType::Float, {2, 1, 1, 2});
  y.set_value(3, 0.5);
  std::filesystem::create_directories(data);
  write_file(directory / "model.onnx", to_model(problem));
  write_file(data / "inputs.npz", testing::npz("X.npy", testing::npy(*problem.input(input::X))));
  write_file(data / "outputs.npz", testing::npz("Y.npy", testing::npy(y)));
  const BackendTest test = read_backend_test(directory);
  ASSERT_EQ(test.data_sets.size(), 1U);
  EXPECT_EQ(*test.data_sets[0].problem.input(input::X), *problem.input(input::X));
  EXPECT_EQ(test.data_sets[0].outputs[output::Y], y);
  EXPECT_FALSE(test.data_sets[0].outputs[output::Y_h]);
  EXPECT_FALSE(test.data_sets[0].problem.asks_for(output::Y_h)) << "it is not saved, so nobody is asked for it";
  std::filesystem::remove(data / "outputs.npz");
  write_file(data / "outputs.npz", testing::npz("y.npy", testing::npy(y)));
  EXPECT_THAT(corpus_error_of([&] { read_backend_test(directory); }),
              ::testing::HasSubstr("an array 'y', expected Y, Y_h"));
}

}  // namespace
}  // namespace cellproof::corpus
