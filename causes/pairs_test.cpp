// Faults that no case shows apart, and what hides them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "causes/cover.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"
#include "spec/resized.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using testing::explains_all;
using testing::ids;
using ::testing::IsEmpty;
using testing::plain;
using ::testing::UnorderedElementsAre;
using testing::with_bias;
using testing::with_peepholes;
using testing::with_state;

void with_bias_and_peepholes(Case& c) {
  with_bias(c);
  with_peepholes(c);
}

void the_same_in_reverse(Case& c) {
  with_bias_and_peepholes(c);
  c.attributes.direction = "reverse";
}

FaultSet faults_named(std::initializer_list<const char*> ids) {
  FaultSet faults;
  for (const char* id : ids) faults.push_back(oracle::fault_named(id));
  return faults;
}

std::vector<Answered> answers_of_all(const AskedEngine& a, const AskedEngine& b) {
  std::vector<Answered> answers = a.answered();
  answers.insert(answers.end(), b.answered().begin(), b.answered().end());
  return answers;
}

TEST(Pairs, AreTakenInTheScopeWhereNothingContradictsThem) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"}), right({});
  for (int k = 0; k < 6; ++k) EXPECT_THAT(engine.ask(with_bias_and_peepholes).judgement.faults, IsEmpty());
  for (int k = 0; k < 9; ++k) EXPECT_TRUE(right.ask(the_same_in_reverse).pass);
  const std::vector<Answered> answers = answers_of_all(engine, right);
  Cover cover(answers, faults_named({"rb-ignored", "peepholes-ignored"}), {});
  cover.search();
  ASSERT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "peepholes-ignored"));
  for (const oracle::Fault* fault : cover.faults()) EXPECT_EQ(cover.scope_of(fault).text(), "forward");
  EXPECT_TRUE(explains_all(cover));
}

TEST(Pairs, AreFoundOnceAFaultIsDroppedThatHidThem) {
  AskedEngine engine({"rb-z-ignored", "rb-h-ignored"});
  const auto with_resets_bias = [](const char* bias) {
    return [bias](Case& c) {
      const std::string seed = std::to_string(c.seed);
      c = parse_case("cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=2 H=1 seed=" + seed + " B=given,values:" + bias);
    };
  };
  // Where the reset gate has no recurrent bias, an engine that ignores all of them gives the same.
  for (int k = 0; k < 4; ++k) engine.ask(with_resets_bias("0.5/0.25/0.5/0.75/0/0.5"), Operator::GRU);
  for (int k = 0; k < 20; ++k) engine.ask(with_resets_bias("0.5/0.25/0.5/0.75/1.5/0.5"), Operator::GRU);
  Cover cover(engine.answered(), faults_named({"rb-ignored", "rb-z-ignored", "rb-h-ignored"}), {});
  cover.search();
  EXPECT_THAT(ids(cover), UnorderedElementsAre("rb-z-ignored", "rb-h-ignored"));
  EXPECT_TRUE(explains_all(cover));
}

TEST(Pairs, ThatUndoEachOtherAreDropped) {
  AskedEngine engine({"initial-h-ignored", "rb-ignored"});
  for (int k = 0; k < 3; ++k) {
    engine.ask(with_state, Operator::GRU);
    engine.ask(with_bias, Operator::GRU);
    EXPECT_TRUE(engine.ask(plain, Operator::GRU).pass);
  }
  Cover cover(engine.answered(), faults_named({"initial-h-ignored", "rb-ignored"}), {});
  cover.search();
  ASSERT_THAT(ids(cover), UnorderedElementsAre("initial-h-ignored", "rb-ignored"));
  cover.exchange(oracle::fault_named("initial-h-ignored"), oracle::fault_named("gate-order-hzr"));
  cover.exchange(oracle::fault_named("rb-ignored"), oracle::fault_named("gate-order-rhz"));
  cover.drop_the_needless();
  EXPECT_THAT(ids(cover), IsEmpty());
}

TEST(Pairs, AFaultIsTakenToAScopeWhereCasesAreRightWithoutIt) {
  AskedEngine both({"rb-ignored", "peepholes-ignored"}), one({"peepholes-ignored"});
  for (int k = 0; k < 8; ++k) both.ask(with_bias);  // nothing contradicts it beyond, so it is taken everywhere at first
  for (int k = 0; k < 6; ++k) both.ask(with_bias_and_peepholes);
  for (int k = 0; k < 6; ++k) one.ask(the_same_in_reverse);
  const std::vector<Answered> answers = answers_of_all(both, one);
  Cover cover(answers, faults_named({"rb-ignored", "peepholes-ignored"}), {});
  cover.search();
  ASSERT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "peepholes-ignored"));
  EXPECT_EQ(cover.scope_of(oracle::fault_named("rb-ignored")).text(), "forward");
  EXPECT_TRUE(explains_all(cover));
}

AskedEngine::Change larger(const AskedEngine::Change& change, std::int64_t H) {
  return [change, H](Case& c) {
    c = resized(c, "H", H);
    change(c);
  };
}

/// A quarter of a million pairs are asked of one case.
TEST(Pairs, OfAllFaultsAreTriedOnASmallCaseOnly) {
  for (const std::int64_t H : {4, 24}) {
    AskedEngine engine({"rb-ignored", "peepholes-ignored"});
    for (int k = 0; k < 6; ++k) engine.ask(larger(with_bias_and_peepholes, H));
    Cover cover(engine.answered(), faults_named({"rb-ignored", "peepholes-ignored"}), {});
    cover.search();
    EXPECT_EQ(explains_all(cover), H == 4);
  }
}

/// No single fault explains a case of the LSTM, and the smallest case is of another operator.
TEST(Pairs, OfAllFaultsAreTriedOnAnOperatorOfWhichMuchIsLeft) {
  AskedEngine lstm({"w-order-ifco", "gate-order-ofic"}), rnn({"rb-ignored"});
  for (int k = 0; k < 8; ++k) lstm.ask(with_bias);
  for (int k = 0; k < 3; ++k) rnn.ask(with_bias, Operator::RNN);
  const std::vector<Answered> answers = answers_of_all(rnn, lstm);
  Cover cover(answers, faults_named({"w-order-ifco", "gate-order-ofic"}), {});
  cover.search();
  EXPECT_THAT(ids(cover), UnorderedElementsAre("w-order-ifco", "gate-order-ofic"));
}

/// Three act in the smallest case, and two in all.
TEST(Pairs, OfAllFaultsAreTriedOnCasesThatFewFaultsTouch) {
  AskedEngine engine({"linear-before-reset-always", "r-of-gate-z-ignored", "weights-of-gate-z-for-r"});
  for (int k = 0; k < 8; ++k) engine.ask(with_bias, Operator::GRU);
  const auto after_reset = [](Case& c) {
    with_bias(c);
    c.I = 3;
    c.attributes.linear_before_reset = 1;
  };
  for (int k = 0; k < 8; ++k) engine.ask(after_reset, Operator::GRU);
  Cover cover(engine.answered(),
              faults_named({"linear-before-reset-always", "r-of-gate-z-ignored", "weights-of-gate-z-for-r"}), {});
  cover.search();
  EXPECT_TRUE(explains_all(cover));
}

/// Wrong orders of gates explain one case, as three gates have the same numbers there.
TEST(Pairs, AreTriedBeforeAFaultThatLeavesNearlyAllIsTaken) {
  const auto with_three_alike = [](Case& c) {
    for (const std::size_t position : {input::W, input::R}) c.inputs[position].values = Generated{Regime::Zero, {}};
    with_bias(c);
    std::vector<double> bias(32, 0.25);
    std::fill_n(bias.begin(), 4, 1.0);
    c.inputs[input::B].values = Tensor::from_values(c.type, {1, 32}, bias);
  };
  AskedEngine engine({"w-order-ifco", "gate-order-ofic"});
  engine.ask(with_three_alike);
  for (int k = 0; k < 20; ++k) engine.ask(with_bias);
  Cover cover(engine.answered(),
              faults_named({"gate-order-ocfi", "gate-order-ocif", "gate-order-ofci", "gate-order-oicf",
                            "gate-order-oifc", "w-order-ifco", "gate-order-ofic"}),
              {});
  cover.search();
  EXPECT_THAT(ids(cover), UnorderedElementsAre("w-order-ifco", "gate-order-ofic"));
}

TEST(Pairs, AreTriedOnLargeCasesWhereThereAreNoOthers) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"});
  engine.ask(with_bias_and_peepholes);
  engine.ask(larger(with_bias_and_peepholes, 64));
  const FaultSet neither{oracle::fault_named("initial-h-ignored")};
  Cover both(engine.answered(), neither, {});
  both.search();
  EXPECT_TRUE(both.items().front().has_tried_pairs);
  EXPECT_FALSE(both.items().back().has_tried_pairs);
  Cover alone(std::span(engine.answered()).subspan(1), neither, {});
  alone.search();
  EXPECT_TRUE(alone.items().front().has_tried_pairs);
}

TEST(Pairs, AndAllElseAreTheSameOnSeveralThreads) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored", "initial-h-ignored"});
  for (int k = 0; k < 6; ++k) {
    engine.ask(with_bias_and_peepholes);
    engine.ask(with_state);
    engine.ask(plain);
  }
  std::size_t most_parts = 0;
  const AtOnce on_threads = [&](std::size_t parts, const std::function<void(std::size_t)>& work) {
    most_parts = std::max(most_parts, parts);
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < parts; ++k) threads.emplace_back([&work, k] { work(k); });
  };
  Cover alone(engine.answered(), oracle::every_fault_but(""), {});
  Cover together(engine.answered(), oracle::every_fault_but(""), {.at_once = on_threads});
  alone.search();
  together.search();
  EXPECT_GT(most_parts, 1U);
  EXPECT_EQ(ids(alone), ids(together));
  EXPECT_EQ(alone.spent(), together.spent());
}

}  // namespace
}  // namespace cellproof::causes
