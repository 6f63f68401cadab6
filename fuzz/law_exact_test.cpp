// The laws that ask for the same bits, and those that name what lies between two calls or behind the end of a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/law.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

using Kind = LawResult::Kind;
using testing::HasSubstr;

Outcome honest(const Problem& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = lab::mutants::run_without_fault(problem);
  return outcome;
}

Problem problem_of(const std::string& line) {
  return make_problem(parse_case("cellproof-case/1 " + line));
}

/// One unit in the last place of one element, in all calls but the first.
LawResult one_unit_off(const char* law, const std::string& line) {
  int calls = 0;
  return try_law(law_named(law), problem_of(line), [&](const Problem& problem) {
    Outcome outcome = honest(problem);
    Tensor& Y = *outcome.outputs.at(0);
    for (std::size_t k = 0; calls > 0 && k < Y.size(); ++k) {
      if (Y.value(k) == 0) continue;
      Y.bytes()[k * size_of(Y.type())] ^= std::byte{1};
      break;
    }
    ++calls;
    return outcome;
  });
}

TEST(ExactLaws, FindOneUnitInTheLastPlace) {
  const LawResult doubled = one_unit_off("power-of-two", "op=RNN-14 type=float T=3 N=2 I=3 H=4 B=given clip=0.5");
  EXPECT_EQ(doubled.kind, Kind::Broken);
  EXPECT_THAT(doubled.message, HasSubstr("no honest run rounds differently here"));
  for (const char* line :
       {"op=LSTM-14 type=float T=3 N=2 I=3 H=4", "op=GRU-14 type=float16 T=2 N=2 I=3 H=4",
        "op=RNN-22 type=bfloat16 T=3 N=1 I=3 H=4 activations=Softplus", "op=DynamicQuantizeLSTM-1 T=3 N=2 I=3 H=4"}) {
    const LawResult rescaled = one_unit_off("weights-rescaled", line);
    EXPECT_EQ(rescaled.kind, Kind::Broken) << line;
    EXPECT_THAT(rescaled.message, HasSubstr("problems in which every operation gives the same"));
  }
}

/// Numbers so small that a product of them is rounded as a subnormal number, or is none.
TEST(ExactLaws, LeaveUnderflowAlone) {
  const auto applied = [](const char* law, const std::string& line) {
    return try_law(law_named(law), problem_of(line), honest).kind;
  };
  EXPECT_EQ(applied("power-of-two", "op=RNN-14 type=float T=2 N=2 I=3 H=4 regime=subnormal"), Kind::NotApplicable);
  EXPECT_EQ(applied("weights-rescaled", "op=RNN-14 type=float T=2 N=2 I=3 H=4 regime=subnormal"), Kind::NotApplicable);
  EXPECT_EQ(applied("power-of-two", "op=RNN-14 type=float16 T=3 N=2 I=3 H=4"), Kind::Holds);
  EXPECT_EQ(applied("power-of-two", "op=RNN-14 type=double T=3 N=2 I=3 H=4 B=given initial_h=given"), Kind::Holds);
}

/// m * new + (1 - m) * old, where the mask m is 0 behind the end of a row: what is not finite comes through.
Outcome masked(const Problem& problem) {
  Outcome outcome = honest(problem);
  const Tensor& X = *problem.input(input::X);
  for (std::size_t k = 0; k < X.size(); ++k) {
    if (!std::isfinite(X.value(k))) outcome.outputs.at(1)->set_value(0, X.value(k) * 0);
  }
  return outcome;
}

TEST(PaddingContents, ThatIsNotFiniteHasNoEffectEither) {
  const LawResult result =
      try_law(law_named("padding-contents"),
              problem_of("op=GRU-14 type=float T=3 N=2 I=2 H=2 sequence_lens=given,values:1/3"), masked);
  EXPECT_EQ(result.kind, Kind::Broken) << result.message;
}

/// Computes as many rows as the call before had, as one does whose buffers are made once.
TEST(SequenceOfCalls, FindsWhatACallOfAnotherSizeLeaves) {
  std::size_t before = 0;
  const auto stale = [&](const Problem& problem) {
    Outcome outcome = honest(problem);
    Tensor& Y = *outcome.outputs.at(0);
    if (before > Y.size()) Y.set_value(0, 0.75);
    before = Y.size();
    return outcome;
  };
  EXPECT_EQ(try_law(law_named("sequence-of-calls"), problem_of("op=LSTM-14 type=float T=3 N=2 I=3 H=4"), stale).kind,
            Kind::Broken);
  before = 0;
  EXPECT_EQ(try_law(law_named("repeated-run"), problem_of("op=LSTM-14 type=float T=3 N=2 I=3 H=4"), stale).kind,
            Kind::Holds);
}

}  // namespace
}  // namespace cellproof::fuzz
