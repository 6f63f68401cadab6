#include "engines/node/node_engine.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "engines/node/node_description.hpp"
#include "engines/same_outputs.hpp"
#include "engines/schema_checks.hpp"

namespace cellproof::engines {
namespace {

/// Seconds that `work` takes.
template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Support NodeEngine::supports(const Problem&) {
  return {};
}

OutcomeKind NodeEngine::kind_of(cellproof_status status, const std::string& message) const {
  switch (status) {
    case CELLPROOF_OK:
      return OutcomeKind::Ran;
    case CELLPROOF_INVALID:
      return OutcomeKind::Rejected;
    case CELLPROOF_OUT_OF_MEMORY:
      return OutcomeKind::OutOfMemory;
    case CELLPROOF_NOT_SUPPORTED:
      // Passing for a gap, a refusal that nothing explains would hide a fault in every case.
      if (is_a_known_limit(message)) return OutcomeKind::NotSupported;
      throw std::runtime_error("refused, and no known limit of the library: " + message);
    case CELLPROOF_UNAVAILABLE:  // it was there when the worker began
    case CELLPROOF_FAILED:
      break;
  }
  throw std::runtime_error(message);
}

Outcome NodeEngine::run(const Problem& problem) {
  Outcome outcome;
  if (outcome.message = schema_complaint(problem); !outcome.message.empty()) {
    outcome.kind = OutcomeKind::Rejected;
    return outcome;
  }
  const NodeDescription description(problem);
  std::array<char, 1024> message{};
  cellproof_status status = CELLPROOF_OK;
  std::unique_ptr<NodePlan> plan;
  outcome.timings.prepare = seconds_of([&] { status = prepare(description.node(), plan, message); });
  if (status == CELLPROOF_OK) {
    outcome.outputs = empty_outputs(problem);
    std::array<void*, CELLPROOF_OUTPUTS> data{};
    for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
      if (outcome.outputs[i]) data.at(i) = outcome.outputs[i]->bytes().data();
    const auto run_plan = [&] { status = plan->run(description.data().data(), data.data(), message); };
    outcome.timings.run = seconds_of(run_plan);
    const Outcome first = runs_ > 1 ? outcome : Outcome{};
    for (int again = 1; again < runs_ && status == CELLPROOF_OK; ++again) {
      run_plan();
      if (!same_outputs(first, outcome)) outcome.misconduct = {Misconduct::DiffersOnRepeat};
    }
    outcome.timings.release = seconds_of([&] { plan.reset(); });
  }
  outcome.kind = kind_of(status, message.data());
  if (status != CELLPROOF_OK) {
    outcome.message = message.data();
    outcome.outputs.clear();
  }
  return outcome;
}

}  // namespace cellproof::engines
