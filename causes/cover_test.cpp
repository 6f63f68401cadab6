// The model of an engine: the fewest faults that explain its failing cases, and that no pass contradicts.
#include "causes/cover.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/axes.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::explains_all;
using testing::ids;
using ::testing::IsEmpty;
using testing::plain;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using testing::with_bias;
using testing::with_peepholes;
using testing::with_state;

Cover found(const AskedEngine& engine, const Bounds& bounds = {}) {
  const auto all = oracle::every_fault();
  Cover cover(engine.answered(), {all.begin(), all.end()}, bounds);
  cover.search();
  return cover;
}

TEST(CoverOf, AnEngineThatIsRightHasNoFaults) {
  AskedEngine engine({});
  for (const auto& change : {plain, with_bias, with_peepholes}) EXPECT_TRUE(engine.ask(change).pass);
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), IsEmpty());
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, OneFaultIsNamedOnceForAllItsCases) {
  AskedEngine engine({"rb-ignored"});
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(engine.ask(with_bias).pass);
  engine.ask(plain);
  engine.ask(with_bias, Operator::RNN);
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), ElementsAre("rb-ignored"));
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, FaultsComposeWhereACaseShowsSeveral) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored", "initial-h-ignored"});
  for (const auto& change : {plain, with_bias, with_peepholes, with_state}) engine.ask(change);
  const Finding& all = engine.ask([](Case& c) {
    with_bias(c);
    with_peepholes(c);
    with_state(c);
  });
  EXPECT_THAT(all.judgement.faults, IsEmpty()) << "no single fault explains it";
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "peepholes-ignored", "initial-h-ignored"));
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, APairIsFoundThatNoCaseShowsApart) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"});
  const auto both = [](Case& c) {
    with_bias(c);
    with_peepholes(c);
  };
  for (int k = 0; k < 3; ++k) EXPECT_THAT(engine.ask(both).judgement.faults, IsEmpty());
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), SizeIs(2));
  EXPECT_TRUE(explains_all(cover));
  EXPECT_FALSE(cover.was_cut_short());
}

TEST(CoverOf, APassContradictsAFaultThatExplainsTheFailures) {
  AskedEngine engine({"rb-ignored@bidirectional"});
  const auto in_both = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "bidirectional";
  };
  EXPECT_THAT(engine.ask(in_both).judgement.faults, Contains("rb-ignored"));
  engine.ask(in_both);
  EXPECT_THAT(ids(found(engine)), ElementsAre("rb-ignored")) << "nothing speaks against it yet";
  EXPECT_TRUE(engine.ask(with_bias).pass);
  EXPECT_THAT(ids(found(engine)), ElementsAre("rb-ignored@bidirectional"));
}

TEST(CoverOf, APassThatNothingExplainsContradictsNoFault) {
  AskedEngine engine({"rb-ignored@bidirectional"});
  const auto in_both = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "bidirectional";
  };
  engine.ask(in_both);
  Finding& pass = engine.ask(with_bias);
  ASSERT_TRUE(pass.pass);
  EXPECT_THAT(ids(found(engine)), ElementsAre("rb-ignored@bidirectional"));
  // As where readings are too many to try: its outputs say nothing of what the engine does.
  pass.judgement.verdict = Verdict::Undecided;
  std::vector<Answered> answers = engine.answered();
  for (Answer& answer : answers.back().answers) answer.outputs = engine.answered().front().answers.back().outputs;
  Cover cover(answers, oracle::every_fault_but(""), {});
  cover.search();
  EXPECT_THAT(ids(cover), ElementsAre("rb-ignored"));
}

TEST(CoverOf, APassThatTheEnginesOwnReadingExplainsContradictsNoFault) {
  AskedEngine engine({"thresholded-relu-default-zero"}), right({});
  const auto with_functions = [](std::vector<std::string> functions) {
    return [functions = std::move(functions)](Case& c) { c.attributes.activations = functions; };
  };
  for (int k = 0; k < 2; ++k) engine.ask(with_functions({"Sigmoid", "ThresholdedRelu", "Tanh"}));
  // Clipped to less than the threshold, nothing gets through; where ScaledTanh's default factor is 0, nothing does
  // either way.
  const Finding& pass = right.ask([&](Case& c) {
    with_functions({"ScaledTanh", "ThresholdedRelu", "Elu"})(c);
    c.attributes.clip = 0.5F;
  });
  ASSERT_TRUE(pass.pass);
  std::vector<Answered> answers = engine.answered();
  answers.push_back(right.answered().front());
  const auto names_it = [&] {
    Cover cover(answers, oracle::every_fault_but(""), {});
    cover.search();
    return std::ranges::count(ids(cover), "thresholded-relu-default-zero") == 1;
  };
  EXPECT_FALSE(names_it());
  answers.back().followed = Readings{}.with(Clause::DefaultsAffineScaledTanh, "zero");
  EXPECT_TRUE(names_it());
}

TEST(CoverOf, AWithheldFaultIsNotNamedByAnother) {
  AskedEngine engine({"initial-h-negated"});
  for (int k = 0; k < 4; ++k) engine.ask(with_state);
  engine.ask(plain);
  Cover cover(engine.answered(), oracle::every_fault_but("initial-h-negated"), {});
  cover.search();
  EXPECT_THAT(ids(cover), IsEmpty());
  EXPECT_EQ(std::ranges::count(cover.items(), Standing::Excluded, &Cover::Item::standing), 4);
}

TEST(CoverOf, FaultsAreTakenInTheOrderInWhichTheyAct) {
  AskedEngine engine({"activations-ignored", "f-and-g-exchanged"});
  const auto other_functions = [](Case& c) { c.attributes.activations = {"Softsign", "Relu", "Elu"}; };
  for (int k = 0; k < 3; ++k) engine.ask(plain);
  for (int k = 0; k < 2; ++k) engine.ask(other_functions);
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), ElementsAre("activations-ignored", "f-and-g-exchanged"));
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, AFaultIsTakenBetweenOthersWhereItActsThere) {
  AskedEngine engine({"rb-o-ignored", "gate-order-ifco@w-from-graph", "weights-of-gate-o-for-i"});
  for (int k = 0; k < 4; ++k) engine.ask(plain);
  for (int k = 0; k < 3; ++k) engine.ask(with_bias);
  for (int k = 0; k < 2; ++k)
    engine.ask([](Case& c) {
      with_bias(c);
      c = axis("input.W").apply(c, "graph");
    });
  const Cover cover = found(engine);
  EXPECT_THAT(ids(cover), ElementsAre("rb-o-ignored", "gate-order-ifco@w-from-graph", "weights-of-gate-o-for-i"));
  EXPECT_TRUE(explains_all(cover));
}

/// An engine whose fault shows in one operator only: it is right in the other.
TEST(CoverOf, AFaultIsTakenInTheScopeWhereNothingContradictsIt) {
  AskedEngine engine({"rb-ignored"}), right({});
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(engine.ask(with_bias).pass);
  for (int k = 0; k < 9; ++k) EXPECT_TRUE(right.ask(with_bias, Operator::GRU).pass);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  Cover cover(answers, oracle::every_fault_but(""), {});
  cover.search();
  EXPECT_THAT(ids(cover), ElementsAre("rb-ignored"));
  EXPECT_EQ(cover.scope_of(cover.faults().front()).text(), "LSTM");
  EXPECT_TRUE(explains_all(cover));
  for (const Cover::Item& item : cover.items()) EXPECT_EQ(cover.acting_on(item).size(), item.passes ? 0U : 1U);
}

TEST(CoverOf, AFaultThatIsTakenInAScopeKeepsItWhereCasesBeyondNameIt) {
  AskedEngine engine({"rb-ignored"}), right({});
  const auto in_reverse = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "reverse";
  };
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(engine.ask(with_bias).pass);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(engine.ask(in_reverse, Operator::GRU).pass);
  for (int k = 0; k < 9; ++k) EXPECT_TRUE(right.ask(with_bias, Operator::GRU).pass);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  Cover cover(answers, {oracle::fault_named("rb-ignored")}, {});
  cover.search();
  EXPECT_THAT(ids(cover), ElementsAre("rb-ignored"));
  EXPECT_EQ(cover.scope_of(cover.faults().front()).text(), "LSTM");
  for (const Cover::Item& item : cover.items()) EXPECT_TRUE(!item.passes || cover.acting_on(item).empty());
}

TEST(CoverOf, AScopeIsDrawnAroundAllCasesThatTheFaultExplains) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"}), other({"peepholes-ignored"});
  const auto both = [](Case& c) {
    with_bias(c);
    with_peepholes(c);
  };
  const auto in_reverse = [&](Case& c) {
    both(c);
    c.attributes.direction = "reverse";
  };
  for (int k = 0; k < 40; ++k) engine.ask(both);
  for (int k = 0; k < 300; ++k) other.ask(in_reverse);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), other.answered().begin(), other.answered().end());
  Cover cover(answers, {oracle::fault_named("rb-ignored"), oracle::fault_named("peepholes-ignored")}, {});
  cover.search();
  ASSERT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "peepholes-ignored"));
  EXPECT_EQ(cover.scope_of(oracle::fault_named("rb-ignored")).text(), "forward");
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, AScopeIsDrawnAgainWhereLaterFaultsExplainMoreOfIt) {
  AskedEngine engine({"rb-ignored", "initial-h-ignored"}), right({});
  for (int k = 0; k < 8; ++k) engine.ask(with_bias, Operator::GRU);  // these show a fault first, in their scope
  for (int k = 0; k < 4; ++k) {
    engine.ask(with_state);
    engine.ask([](Case& c) {
      with_bias(c);
      with_state(c);
    });
  }
  for (int k = 0; k < 9; ++k) right.ask(with_bias, Operator::RNN);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  Cover cover(answers, {oracle::fault_named("rb-ignored"), oracle::fault_named("initial-h-ignored")}, {});
  cover.search();
  ASSERT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "initial-h-ignored"));
  EXPECT_EQ(cover.scope_of(oracle::fault_named("rb-ignored")).text(), "LSTM and GRU");
  EXPECT_TRUE(explains_all(cover));
}

TEST(CoverOf, AFaultThatPassesOfTheSameKindContradictHasNoScope) {
  AskedEngine engine({"rb-ignored"}), right({});
  for (int k = 0; k < 4; ++k) engine.ask(with_bias);
  for (int k = 0; k < 9; ++k) right.ask(with_bias);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  Cover cover(answers, oracle::every_fault_but(""), {});
  cover.search();
  EXPECT_THAT(ids(cover), IsEmpty());
}

TEST(CoverOf, NoOtherFaultIsLookedForWhereNothingIsWrongAnyMore) {
  AskedEngine engine({"softplus-overflows"});
  testing::ask_special_values(engine);
  std::vector<Answered> answered(engine.answered().begin(), engine.answered().end());
  for (std::size_t k = 0; k < answered.size(); k += 2) {
    Answered open = testing::with_numbers_for_nan(answered[k]);
    if (Rejudged(open).standing({oracle::fault_named("softplus-overflows")}) == Standing::Possible)
      answered[k] = std::move(open);
  }
  const auto all = oracle::every_fault();
  Cover cover(answered, {all.begin(), all.end()}, {});
  cover.search();
  EXPECT_THAT(ids(cover), ElementsAre("softplus-overflows"));
  int open = 0;
  for (const Cover::Item& item : cover.items()) {
    if (item.passes || item.standing != Standing::Possible) continue;
    ++open;
    EXPECT_FALSE(item.named) << item.rejudged.finding().case_line;
  }
  EXPECT_GT(open, 0);
}

TEST(CoverOf, TheSearchEndsAtItsBounds) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"});
  for (int k = 0; k < 3; ++k)
    engine.ask([](Case& c) {
      with_bias(c);
      with_peepholes(c);
    });
  const Cover cover = found(engine, {.judgements = 50});
  EXPECT_TRUE(cover.was_cut_short());
  EXPECT_THAT(ids(cover), IsEmpty());
}

}  // namespace
}  // namespace cellproof::causes
