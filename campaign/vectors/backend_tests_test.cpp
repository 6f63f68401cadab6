#include "campaign/vectors/backend_tests.hpp"

#include <gtest/gtest.h>

#include "campaign/vectors/make_set.hpp"
#include "lab/zoo/zoo.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

reports::Vector made_vector(const std::string& line) {
  return make_set({"1.0.0", {{"X-01", {}, {}, parse_case(line)}}}).vectors.front();
}

const std::string some_line = "cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=3 H=4 B=given initial_h=given";

TEST(BackendTestsOfVectors, HaveAToleranceThatPassesEveryHonestStyleAndLittleElse) {
  const reports::Vector vector = made_vector(some_line);
  const auto tolerance = tolerance_of(vector);
  ASSERT_TRUE(tolerance);
  EXPECT_LT(tolerance->rtol + tolerance->atol, 1e-5) << "ONNX's own is 1e-3";
  Outputs outputs;
  for (const lab::zoo::Style& style : lab::zoo::styles()) {
    outputs = lab::zoo::run(vector.problem, style, 7);
    EXPECT_TRUE(all_close(values_of(vector.ways.front()), *tolerance, outputs)) << style.name;
  }
  outputs[output::Y]->set_value(5, outputs[output::Y]->value(5) + 1e-4);
  EXPECT_FALSE(all_close(values_of(vector.ways.front()), *tolerance, outputs));
}

TEST(BackendTestsOfVectors, PassWhatIsAtTheEndOfAnInterval) {
  const reports::Vector vector = made_vector(some_line);
  const reports::VectorWay& way = vector.ways.front();
  EXPECT_TRUE(all_close(values_of(way), *tolerance_of(vector), {way.outputs[0]->hi, way.outputs[1]->lo}));
}

TEST(BackendTestsOfVectors, AreNotMadeWhereReadingsDiffer) {
  EXPECT_FALSE(tolerance_of(made_vector("cellproof-case/1 op=RNN-22 type=float T=3 N=2 I=3 H=4 sequence_lens=given")))
      << "padding may be read in two ways, and a directory holds one";
}

}  // namespace
}  // namespace cellproof::campaign
