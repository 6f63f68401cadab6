#include "campaign/repeat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <deque>
#include <string>

#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Problem problem = make_problem(parse_case("cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=2"));

Outcome ran(double value) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  for (const Shape& shape : {Shape{1, 1, 1, 2}, Shape{1, 1, 2}})
    outcome.outputs.emplace_back(Tensor::from_values(ElementType::Float, shape, std::vector{0.5, value}));
  return outcome;
}

Outcome ended(OutcomeKind kind, std::string message, int signal = 0) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = std::move(message);
  outcome.signal = signal;
  return outcome;
}

const Outcome crash = ended(OutcomeKind::Crashed, "SIGSEGV (Segmentation fault)", SIGSEGV);

/// An engine that gives these answers, one after the other, and nothing that was not expected.
class Answers {
 public:
  explicit Answers(std::deque<Outcome> answers) : answers_(std::move(answers)) {}
  engines::Probe probe() {
    return [this](const Problem&) {
      if (answers_.empty()) return ended(OutcomeKind::HarnessError, "asked too often");
      Outcome next = answers_.front();
      answers_.pop_front();
      return next;
    };
  }
  std::size_t left() const { return answers_.size(); }

 private:
  std::deque<Outcome> answers_;
};

TEST(Repeat, OneMoreCallIsEnoughWhereItComesToTheSame) {
  for (const Outcome& outcome : {ran(1), crash, ended(OutcomeKind::Rejected, "no")}) {
    Outcome first = outcome;
    Answers same({}), other({outcome});
    const Repeated repeated = repeat(problem, first, same.probe(), other.probe());
    EXPECT_FALSE(repeated.differs);
    EXPECT_FALSE(repeated.flaky || repeated.memory);
    EXPECT_EQ(describe(repeated), "");
    EXPECT_EQ(other.left(), 0u);
    EXPECT_THAT(first.misconduct, IsEmpty());
  }
}

TEST(Repeat, WhatTheFillingDecidesIsMemoryThatNobodyWrote) {
  Outcome first = ran(0.75);
  Answers same({ran(0.75)}), other({ran(3), ran(3)});
  const Repeated repeated = repeat(problem, first, same.probe(), other.probe());
  EXPECT_FALSE(repeated.flaky);
  ASSERT_TRUE(repeated.memory);
  EXPECT_EQ(repeated.memory->output, output::Y);
  EXPECT_THAT(repeated.memory->index, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(first.misconduct, ElementsAre(Misconduct::UninitialisedMemory));
  EXPECT_EQ(first.outputs[0]->value(1), 0.75);
  EXPECT_EQ(describe(repeated),
            "Y[0,0,0,1] is 0.75 where fresh memory holds 0x3f in each byte, and 3 where it holds 0x40");
}

TEST(Repeat, WhatAnIdenticalCallDoesNotRepeatIsFlaky) {
  struct Calls {
    Outcome first;
    std::deque<Outcome> same, other;
    OutcomeKind worse, better;
    const char* words;
  };
  const Outcome refusal = ended(OutcomeKind::Rejected, "not today");
  const Outcome hang = ended(OutcomeKind::TimedOut, "no answer within 20 s");
  for (const Calls& calls : {
           Calls{crash, {}, {ran(1)}, OutcomeKind::Crashed, OutcomeKind::Ran, "ran when asked again"},
           Calls{ran(1), {}, {crash}, OutcomeKind::Crashed, OutcomeKind::Ran, "ran when asked again"},
           Calls{hang, {}, {ran(1)}, OutcomeKind::TimedOut, OutcomeKind::Ran, "ran when asked again"},
           Calls{refusal, {}, {ran(1)}, OutcomeKind::Rejected, OutcomeKind::Ran, "ran when asked again"},
           Calls{crash,
                 {refusal},
                 {refusal},
                 OutcomeKind::Crashed,
                 OutcomeKind::Rejected,
                 "REJECTED when asked again: not today"},
           Calls{ran(1), {ran(2)}, {ran(3)}, OutcomeKind::Ran, OutcomeKind::Ran, "Y[0,0,0,1] is 1, then 3"},
           // A death in a call that was made for the sake of others is one, too.
           Calls{ran(1), {crash}, {ran(3), ran(3)}, OutcomeKind::Crashed, OutcomeKind::Ran, "ran when asked again"},
           // Steady with one filling, and not with the other.
           Calls{ran(1), {ran(1)}, {ran(3), ran(4)}, OutcomeKind::Ran, OutcomeKind::Ran, "Y[0,0,0,1] is 1, then 3"},
       }) {
    Outcome first = calls.first;
    Answers same(calls.same), other(calls.other);
    const Repeated repeated = repeat(problem, first, same.probe(), other.probe());
    EXPECT_TRUE(repeated.differs);
    EXPECT_FALSE(repeated.memory);
    ASSERT_TRUE(repeated.flaky) << calls.words;
    EXPECT_EQ(first.kind, calls.worse);
    EXPECT_EQ(repeated.flaky->outcome, calls.better);
    EXPECT_EQ(describe(repeated), calls.words);
    const bool both_ran = calls.worse == OutcomeKind::Ran;
    EXPECT_EQ(first.misconduct.size(), both_ran ? 1u : 0u);
  }
}

TEST(Repeat, WithoutAnotherMemoryADifferenceIsFlaky) {
  Outcome first = ran(1);
  Answers same({ran(2)});
  const Repeated repeated = repeat(problem, first, same.probe(), {});
  ASSERT_TRUE(repeated.flaky);
  EXPECT_THAT(repeated.flaky->message, HasSubstr("is 1, then 2"));
  EXPECT_THAT(first.misconduct, ElementsAre(Misconduct::DiffersOnRepeat));
}

TEST(Repeat, WhereTheOtherDoesNotStartTheSameIsAsked) {
  Outcome not_started = ended(OutcomeKind::TimedOut, "at its start: no answer within 30 s");
  not_started.before_the_case = true;
  for (const Outcome& nothing : {ended(OutcomeKind::EngineAbsent, ""), not_started}) {
    Outcome first = crash;
    Answers same({ran(1)}), other({nothing});
    EXPECT_TRUE(repeat(problem, first, same.probe(), other.probe()).flaky);
    EXPECT_EQ(first.kind, OutcomeKind::Crashed);
    EXPECT_EQ(same.left() + other.left(), 0U);
  }
}

TEST(Repeat, WhereNeitherCanBeAskedNothingIsSaid) {
  for (const OutcomeKind kind : {OutcomeKind::EngineAbsent, OutcomeKind::HarnessError}) {
    Outcome first = ran(1);
    Answers same({ended(kind, "")}), other({ended(kind, "")});
    EXPECT_FALSE(repeat(problem, first, same.probe(), other.probe()).differs);
  }
}

}  // namespace
}  // namespace cellproof::campaign
