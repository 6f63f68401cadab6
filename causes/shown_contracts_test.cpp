#include "causes/shown_contracts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "causes/engine_model.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using testing::ids;
using testing::plain;
using ::testing::SizeIs;
using testing::with_bias;
using testing::with_peepholes;

/// In double both show at once, and neither explains the case.
TEST(ShownContracts, AreOfCasesThatAFaultTouches) {
  const auto in_double = [](Case& c) { c.type = ElementType::Double; };
  const auto in_double_with_peepholes = [&](Case& c) {
    in_double(c);
    with_peepholes(c);
  };
  AskedEngine engine({"peepholes-ignored"});
  engine.compute_double_in(ElementType::Float);
  engine.ask(plain);
  engine.ask(with_peepholes);
  engine.ask(in_double_with_peepholes);
  const EngineModel unknown = model_of(engine.answered());
  EXPECT_EQ(unknown.explained, 1) << "no case shows the contract";
  engine.ask(in_double);
  const EngineModel model = model_of(engine.answered());
  ASSERT_THAT(ids(model), ElementsAre("fault:peepholes-ignored", "contract:f64-via-f32"));
  EXPECT_EQ(model.explained, 3);
  for (const Cause& cause : model.causes) {
    EXPECT_EQ(cause.cases, 2) << cause.id;
    EXPECT_EQ(cause.alone, 1) << cause.id;
  }
  // Another fault is not excused by the contract.
  AskedEngine wrong({"bias-ignored", "peepholes-ignored"});
  wrong.compute_double_in(ElementType::Float);
  wrong.ask(with_peepholes);
  wrong.ask(in_double);
  wrong.ask([&](Case& c) {
    in_double_with_peepholes(c);
    with_bias(c);
  });
  Bounds only_peepholes;
  only_peepholes.tried = {oracle::fault_named("peepholes-ignored")};
  EXPECT_EQ(model_of(wrong.answered(), only_peepholes).explained, 2);
}

/// No case shows the contract without the fault, as where a suite has its 16-bit cases with ragged lengths alone.
TEST(ShownContracts, AreTakenWhereNearlyAllCasesOfATypeShowThemBesideAFault) {
  AskedEngine engine({"peepholes-ignored"});
  engine.compute_double_in(ElementType::Float);
  for (int k = 0; k < 4; ++k) engine.ask(with_peepholes);
  const auto in_double_with_peepholes = [](Case& c) {
    c.type = ElementType::Double;
    with_peepholes(c);
  };
  for (int k = 0; k < 3; ++k) engine.ask(in_double_with_peepholes);
  EXPECT_EQ(model_of(engine.answered()).explained, 4) << "three cases are too few";
  engine.ask(in_double_with_peepholes);
  const EngineModel model = model_of(engine.answered());
  EXPECT_THAT(ids(model), ElementsAre("fault:peepholes-ignored", "contract:f64-via-f32"));
  EXPECT_EQ(model.explained, 8);
}

/// One arithmetic, of which most cases show less than all.
TEST(ShownContracts, AreTakenWhereMostCasesShowThemIfTheArithmeticIsUnusual) {
  const auto in_double = [](Case& c) { c.type = ElementType::Double; };
  const auto with_fault = [](Case& c) {
    c.type = ElementType::Double;
    with_peepholes(c);
  };
  const auto with_two = [&](Case& c) {
    with_fault(c);
    with_bias(c);
  };
  Bounds only_peepholes;
  only_peepholes.tried = {oracle::fault_named("peepholes-ignored")};
  AskedEngine engine({"bias-ignored", "peepholes-ignored"});
  for (int k = 0; k < 8; ++k) engine.ask(with_peepholes);
  engine.compute_double_in(ElementType::Float16);
  for (int k = 0; k < 4; ++k) engine.ask(with_fault);
  for (int k = 0; k < 2; ++k) engine.ask(with_two);
  EXPECT_EQ(model_of(engine.answered(), only_peepholes).explained, 8) << "the contract may be an accident";
  engine.compute_double_in(ElementType::Float);
  for (int k = 0; k < 3; ++k) engine.ask(in_double);
  const EngineModel model = model_of(engine.answered(), only_peepholes);
  EXPECT_EQ(model.explained, 15);
  ASSERT_THAT(model.causes, SizeIs(3));
  EXPECT_EQ(model.causes[1].id, "contract:f64-in-f16");
  EXPECT_EQ(model.causes[1].cases, 7) << "though three of them need less";
}

TEST(ShownContracts, AreNamedByTheFinding) {
  AskedEngine engine({"bf16-operands"});
  const Finding& finding = engine.ask(with_bias);
  ASSERT_EQ(finding.judgement.verdict, Verdict::Precision);
  const EngineModel model = model_of(engine.answered());
  ASSERT_THAT(model.causes, SizeIs(1));
  EXPECT_EQ(model.causes.front().contract, std::string(name(finding.judgement.contract)));
  EXPECT_EQ(model.causes.front().id, "contract:" + model.causes.front().contract);
  EXPECT_EQ(model.explained, 1);
}

}  // namespace
}  // namespace cellproof::causes
