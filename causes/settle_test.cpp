// Faults that were taken are put to the test, and the search goes on without those that fail it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "causes/engine_model.hpp"
#include "causes/testing/asked_engine.hpp"

#include "lab/mutants/mutant_engine.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::UnorderedElementsAre;

/// Both halves of B are ignored in the newest version, one in earlier ones: the fault that explains most is none of the
/// engine's.
TEST(Settle, TheSearchGoesOnWithoutAFaultThatIsTakenBack) {
  const std::vector<const char*> planted{"rb-ignored", "wb-ignored@newest-version"};
  AskedEngine engine({planted[0], planted[1]});
  const auto of_version_7 = [](Case& c) {
    c = plain_case({Operator::LSTM, 7}, ElementType::Float, 3, 2, 2, 4);
    testing::with_bias(c);
  };
  for (int k = 0; k < 4; ++k) engine.ask(testing::with_bias);
  engine.ask(of_version_7);
  FaultSet tried{oracle::fault_named("bias-ignored")};
  for (const char* id : planted) tried.push_back(oracle::fault_named(id));
  const AskEngine ask = [&](const Problem& problem) -> std::optional<Outputs> {
    return lab::mutants::run(problem, {lab::mutants::mutant_named(planted[0]), lab::mutants::mutant_named(planted[1])});
  };
  const EngineModel model = model_of(engine.answered(), {.tried = tried}, ask);
  std::vector<std::string> named;
  for (const oracle::Fault* fault : model.faults) named.push_back(fault->id);
  EXPECT_THAT(named, UnorderedElementsAre("rb-ignored", "wb-ignored@newest-version"));
  EXPECT_EQ(model.explained, 5);
}

}  // namespace
}  // namespace cellproof::causes
