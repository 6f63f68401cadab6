#include "causes/needed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "causes/engine_model.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using testing::ids;
using testing::reduce_to;

/// No case of the run has ragged lengths and sizes that are numbers; the reduction asked one, and it passed.
TEST(Needed, SymbolicSizesAreNamedWhereAReductionShowsThem) {
  AskedEngine engine({"lengths-ignored@symbolic-sizes"});
  const auto ragged = [](Case& c) {
    c = parse_case("cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=2 H=4 dims=TN sequence_lens=given,values:3/1");
  };
  Finding& finding = engine.ask(ragged, Operator::GRU);
  EXPECT_THAT(ids(model_of(engine.answered())), ElementsAre("fault:lengths-ignored"));
  reduce_to(finding, {{"lengths", "ragged"}});
  EXPECT_THAT(ids(model_of(engine.answered())), ElementsAre("fault:lengths-ignored"));
  reduce_to(finding, {{"lengths", "ragged"}, {"dims", "TN"}});
  const EngineModel model = model_of(engine.answered());
  ASSERT_THAT(ids(model), ElementsAre("fault:lengths-ignored@symbolic-sizes"));
  EXPECT_EQ(model.causes.front().status, Status::Proved);
  EXPECT_EQ(model.causes.front().title, "takes every sequence to have T steps, when sizes of X are symbols");
}

void with_nan_and_bias(Case& c) {
  c = parse_case("cellproof-case/1 op=" + to_string(c.version) + " T=3 N=2 I=4 H=4 X=given,regime:special B=given");
}

/// Two cases are too few to draw a scope around by what contradicts, and a fault that any lane may escape is
/// contradicted by nothing.
TEST(Needed, AnInputIsNamedInTheOperatorsOfItsCases) {
  AskedEngine engine({"nan-clipped-with-bias"}), right({});
  std::vector<Finding*> failing;
  for (const Operator op : {Operator::LSTM, Operator::GRU}) failing.push_back(&engine.ask(with_nan_and_bias, op));
  EXPECT_TRUE(right.ask(with_nan_and_bias, Operator::RNN).pass);
  std::vector<Answered> answered = engine.answered();
  answered.push_back(right.answered().front());
  const FaultSet tried{oracle::fault_named("nan-bounded-above"), oracle::fault_named("nan-clipped-with-bias")};
  const auto model = [&] { return model_of(answered, {.tried = tried}); };
  EXPECT_THAT(ids(model()), ElementsAre("fault:nan-bounded-above"));
  reduce_to(*failing[0], {{"input.B", "initializer"}, {"regime", "special"}});
  reduce_to(*failing[1], {{"regime", "special"}});
  EXPECT_THAT(ids(model()), ElementsAre("fault:nan-bounded-above")) << "one does without B";
  reduce_to(*failing[1], {{"input.B", "initializer"}});
  const EngineModel needed = model();
  ASSERT_THAT(ids(needed), ElementsAre("fault:nan-clipped-with-bias"));
  EXPECT_EQ(needed.causes[0].cases, 2);
  EXPECT_EQ(needed.causes[0].status, Status::Proved);
  EXPECT_EQ(needed.causes[0].scope, "LSTM and GRU");
  AskedEngine contradicted({});
  EXPECT_TRUE(contradicted.ask(with_nan_and_bias, Operator::GRU).pass);
  answered.push_back(contradicted.answered().front());
  EXPECT_THAT(ids(model()), ElementsAre("fault:nan-bounded-above"))
      << "a pass of the operator speaks against the other";
}

}  // namespace
}  // namespace cellproof::causes
