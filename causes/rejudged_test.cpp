#include "causes/rejudged.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;

const oracle::Fault* fault_of_id(std::string_view id) {
  for (const oracle::Fault* fault : oracle::every_fault())
    if (fault->id == id) return fault;
  return nullptr;
}

/// An answer in which NaN that comes through clip, of which the text says nothing, is a number of the engine's own.
Answered with_numbers_for_nan(Answered answered) {
  for (Answer& answer : answered.answers) {
    for (auto& output : answer.outputs) {
      for (std::size_t k = 0; output && k < output->size(); ++k)
        if (std::isnan(output->value(k))) output->set_value(k, 0.25);
    }
  }
  return answered;
}

TEST(Rejudged, TellsAFaultThatVerifiesWhatIsWrongFromOneThatDoesNot) {
  AskedEngine engine({"softplus-overflows"});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    engine.ask(
        [&](Case& c) {
          c = parse_case(
              "cellproof-case/1 op=RNN-14 T=1 N=8 I=12 H=15 regime=special activations=Softplus clip=1000 "
              "X=given W=given R=given");
          c.seed = seed;
        },
        Operator::RNN);
  }
  const FaultSet right{fault_of_id("softplus-overflows")}, other{fault_of_id("softplus-as-relu")};
  int open = 0;
  for (const Answered& plain : engine.answered()) {
    const Answered answered = with_numbers_for_nan(plain);
    Rejudged rejudged(answered);
    if (rejudged.standing({}) != Standing::Excluded || rejudged.standing(right) != Standing::Possible) continue;
    ++open;
    EXPECT_TRUE(rejudged.verifies_what_is_wrong(right)) << answered.finding->case_line;
    EXPECT_FALSE(rejudged.verifies_what_is_wrong(other)) << answered.finding->case_line;
    EXPECT_FALSE(rejudged.verifies_what_is_wrong({})) << answered.finding->case_line;
  }
  EXPECT_GT(open, 0);
}

}  // namespace
}  // namespace cellproof::causes
