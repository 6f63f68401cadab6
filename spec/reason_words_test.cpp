#include "spec/reason_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof {
namespace {

using As = reason::Answered::As;

Judgement judged(Reason reason) {
  Judgement judgement;
  judgement.reason = std::move(reason);
  return judgement;
}

std::string found(decltype(Reason::found) found) {
  return sentence_of(judged({.found = std::move(found)}));
}

/// Y[2,0,1,3], step 2 of the reverse direction: 0.75 where 0.5 is expected.
Judgement beyond(ViolationKind kind, reason::BeyondBound reason = {}) {
  Judgement judgement = judged({.found = reason});
  judgement.kind = kind;
  judgement.first = FirstViolation{};
  judgement.first->output = output::Y;
  judgement.first->index = {2, 0, 1, 3};
  judgement.first->step = 2;
  judgement.first->direction = Direction::Reverse;
  judgement.first->expected = 0.5;
  judgement.first->actual = 0.75;
  return judgement;
}

TEST(ReasonWords, SayNothingWithoutAReason) {
  EXPECT_EQ(sentence_of({}), "");
  EXPECT_EQ(found("as it was read"), "as it was read");
}

TEST(ReasonWords, SayHowManyFaultsWereNotTried) {
  Judgement judgement = judged({.found = "wrong"});
  judgement.reason.untried = {317, 4'194'304};
  EXPECT_EQ(sentence_of(judgement), "wrong; 317 faults not tried: the node has 4194304 weights");
  judgement.reason.untried.faults = 1;
  EXPECT_EQ(sentence_of(judgement), "wrong; 1 fault not tried: the node has 4194304 weights");
}

TEST(ReasonWords, CountElements) {
  EXPECT_EQ(found(reason::Verified{}),
            "number, types and shapes of the outputs are right; there are no values to judge");
  Judgement judgement = judged({.found = reason::Verified{}});
  judgement.elements[static_cast<std::size_t>(ElementClass::Exact)] = 5;
  judgement.elements[static_cast<std::size_t>(ElementClass::Rounding)] = 3;
  judgement.elements[static_cast<std::size_t>(ElementClass::Unresolved)] = 2;
  EXPECT_EQ(sentence_of(judgement), "8 of 10 elements verified");
  judgement.elements[static_cast<std::size_t>(ElementClass::Unspecified)] = 90;
  judgement.reason.found = reason::TooLittle{};
  EXPECT_EQ(sentence_of(judgement),
            "too little verified: of 100 elements, 2 with a bound too wide to say anything, 90 that no reading fixes");
  judgement.reason.found = reason::TooLittle{true};
  EXPECT_TRUE(sentence_of(judgement).ends_with(
      "; expose Y: give the node its first output, and each step is judged by itself"));
  judgement.bits = 128;
  judgement.reason.found = reason::StillOpen{1};
  EXPECT_EQ(sentence_of(judgement), "128 bits do not tell on which side of its bound an element lies");
  judgement.reason.found = reason::StillOpen{4};
  EXPECT_EQ(sentence_of(judgement), "128 bits do not tell on which side of its bound each of 4 elements lies");
}

TEST(ReasonWords, SayWhatTheFirstViolationIs) {
  Judgement value = beyond(ViolationKind::Value, {.from_own_state = true});
  EXPECT_EQ(
      sentence_of(value),
      "Y differs from step 2 of the reverse direction on: Y[2,0,1,3] is 0.75 where one step from the engine's own "
      "state gives 0.5");
  value.first->bound = 1.25e-7;
  value.reason.found = reason::BeyondBound{.worst_case_admits = true};
  EXPECT_EQ(sentence_of(value),
            "Y differs from step 2 of the reverse direction on: Y[2,0,1,3] is 0.75 where the specification gives 0.5 "
            "+- 1.2e-07; beyond what usual orders of summation lead to, though a worst case admits it");
  EXPECT_EQ(sentence_of(beyond(ViolationKind::Padding)),
            "Y[2,0,1,3] lies beyond its sequence's end and is 0.75, expected 0.5");
  Judgement state = beyond(ViolationKind::State);
  EXPECT_EQ(sentence_of(state), "Y[2,0,1,3] is 0.75, but the last step of that sequence in Y is 0.5");
  state.first->step.reset();
  EXPECT_EQ(sentence_of(state), "Y[2,0,1,3] is 0.75, expected 0.5 for a sequence of no steps");
  state.reason.found = reason::ChangedOutput{};
  EXPECT_EQ(sentence_of(state), "asking for Y changes another output: Y[2,0,1,3] is 0.75 without Y and 0.5 with it");
}

TEST(ReasonWords, SayWhatIsWrongWithAnOutputAsAWhole) {
  using Kind = BrokenOutput::Kind;
  Judgement judgement = judged({.found = reason::WrongOutput{}});
  judgement.first = FirstViolation{};
  const auto sentence = [&](const BrokenOutput& broken) {
    judgement.first->structure = broken;
    return sentence_of(judgement);
  };
  EXPECT_EQ(sentence({.kind = Kind::Missing, .position = output::Y_h}), "Y_h was asked for and did not come");
  EXPECT_EQ(sentence({.kind = Kind::Type, .type = ElementType::Double}), "Y is double, expected float");
  EXPECT_EQ(sentence({.kind = Kind::Shape, .position = output::Y_c, .shape = {1, 2}, .expected_shape = {1, 3, 2}}),
            "Y_c has shape [1,2], expected [1,3,2]");
  EXPECT_EQ(sentence({.kind = Kind::NotAskedFor, .position = 4}),
            "an output came at position 4 that was not asked for");
}

TEST(ReasonWords, SayWhatTheEngineAnswered) {
  const auto answer = [](As as, OutcomeKind outcome, const char* words) {
    return found(reason::Answered{as, outcome, words});
  };
  EXPECT_EQ(answer(As::Is, OutcomeKind::Crashed, ""), "CRASHED");
  EXPECT_EQ(answer(As::Is, OutcomeKind::Rejected, "no"), "REJECTED: no");
  EXPECT_EQ(answer(As::Tolerated, OutcomeKind::Rejected, "no"), "REJECTED: no; refusing is tolerated here");
  EXPECT_EQ(answer(As::TwinNotRun, OutcomeKind::Rejected, "no"),
            "refused, but nothing shows that the broken rule is why: no valid twin was run");
  EXPECT_EQ(answer(As::TwinRefused, OutcomeKind::NotSupported, "never"),
            "refused, but so is the same problem with the rule repaired (NOT_SUPPORTED: never)");
  EXPECT_EQ(answer(As::Refused, OutcomeKind::Rejected, "the rule"), "refused: the rule");
  EXPECT_EQ(answer(As::RanThoughInvalid, OutcomeKind::Ran, ""), "ran a problem that must be refused: a rule");
  EXPECT_EQ(found(reason::Misbehaved{Misconduct::ChangedInputs}), "the engine changed its inputs");
  EXPECT_EQ(found(reason::FaultNotThere{"clip-ignored"}), "the outputs show that clip-ignored is not there");
  Judgement reading = judged({.found = reason::Answered{As::Admissible, OutcomeKind::Rejected, "no"}});
  reading.readings = Readings{}.with(Clause::ClipZero, "refuse");
  EXPECT_EQ(sentence_of(reading), "refused, which is admissible under clip-zero=refuse");
}

TEST(ReasonWords, SayWhatTheSearchCameTo) {
  const auto clipped = Readings{}.with(Clause::ClipScope, "gates");
  const auto sentence = [](decltype(Reason::searched) searched, const Readings& readings = {}) {
    Judgement judgement = judged({.found = "it differs", .searched = std::move(searched)});
    judgement.readings = readings;
    return sentence_of(judgement);
  };
  EXPECT_EQ(sentence(reason::OpenUnder{clipped}),
            "neither proved nor excluded under clip-scope=gates; by default, it differs");
  EXPECT_EQ(sentence(reason::NotAllTried{.combinations = 512}),
            "512 combinations of readings are too many to try; by default, it differs");
  EXPECT_EQ(sentence(reason::NotAllTried{.clause = Clause::ClipScope}),
            "the readings of clip-scope cannot be computed yet; by default, it differs");
  EXPECT_EQ(sentence(reason::Unconfirmed{clipped, std::nullopt}),
            "double excludes clip-scope=gates, which balls do not confirm; by default, it differs");
  EXPECT_EQ(sentence(reason::Unconfirmed{{}, ContractId::Tf32}),
            "double excludes tf32, which balls do not confirm; by default, it differs");
  EXPECT_EQ(sentence(reason::Unconfirmed{clipped, ContractId::Tf32}),
            "double excludes tf32 with clip-scope=gates, which balls do not confirm; by default, it differs");
  EXPECT_EQ(sentence(reason::ConformsUnder{}, clipped), "conforms under clip-scope=gates: it differs");
  EXPECT_EQ(sentence(reason::LooksLike{{ContractId::Tf32, ContractId::F32FastActivations}, ContractId::F32}),
            "looks like tf32 or f32-fast-activations; under f32, it differs");
  EXPECT_EQ(sentence(reason::LooksLike{{ContractId::Tf32}, ContractId::F32}, clipped),
            "looks like tf32 with clip-scope=gates; under f32, it differs");
  EXPECT_EQ(sentence(reason::LooksLike{{ContractId::Tf32}, ContractId::F32, true}, clipped),
            "looks like tf32 with clip-scope=gates, which verifies 0 of 0 elements; under f32, it differs");
}

TEST(ReasonWords, AddWhatElseIsKnownOfTheCalls) {
  EXPECT_EQ(sentence_of(judged({.found = "wrong", .with_all_outputs = true, .besides = "; and by chance"})),
            "wrong (judged in a run that asks for all outputs); and by chance");
}

}  // namespace
}  // namespace cellproof
