#include "engines/reference/reference_engine.hpp"

#include <fmt/format.h>

#include "reference/reference.hpp"
#include "spec/expectation.hpp"

namespace cellproof::engines {

EngineDescription ReferenceEngine::describe() {
  return {"reference", CELLPROOF_VERSION, std::nullopt};
}

Support ReferenceEngine::supports(const Problem&) {
  return {};
}

Outcome ReferenceEngine::run(const Problem& problem) {
  Outcome outcome;
  if (const auto expectation = expectation_of(problem); expectation.kind == Expectation::Kind::Refuse) {
    const auto& first = expectation.violations.front();
    outcome.kind = OutcomeKind::Rejected;
    outcome.message = fmt::format("{} ({}, {})", first.message, first.rule, first.clause);
    return outcome;
  }
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = reference::run(problem);
  return outcome;
}

}  // namespace cellproof::engines
