#include "engines/cpu/cpu_engine.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "engines/cpu/describe_node.hpp"
#include "engines/schema_checks.hpp"

namespace cellproof::engines {
namespace {

struct Release {
  void operator()(cellproof_cpu_plan* plan) const { cellproof_cpu_release(plan); }
};
using Plan = std::unique_ptr<cellproof_cpu_plan, Release>;

/// Seconds that `work` takes.
template <class Work>
double timed(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

OutcomeKind kind_of(cellproof_status status) {
  switch (status) {
    case CELLPROOF_OK:
      return OutcomeKind::Ran;
    case CELLPROOF_INVALID:
      return OutcomeKind::Rejected;
    case CELLPROOF_UNAVAILABLE:
    case CELLPROOF_NOT_SUPPORTED:
      return OutcomeKind::NotSupported;
    case CELLPROOF_OUT_OF_MEMORY:
    case CELLPROOF_FAILED:
      break;
  }
  return OutcomeKind::OutOfMemory;
}

/// The outputs that are asked for, by position, of a problem that has been found valid.
std::vector<std::optional<Tensor>> outputs_of(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  const Shape state = batch_first ? Shape{N, D, H} : Shape{D, N, H};
  const std::array shapes{batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H}, state, state};
  std::vector<std::optional<Tensor>> outputs(problem.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (problem.asks_for(i)) outputs[i].emplace(problem.input(input::X)->type(), shapes[i]);
  return outputs;
}

}  // namespace

EngineDescription CpuEngine::describe() {
  return {name_, "0.1.0", std::nullopt, true};
}

Support CpuEngine::supports(const Problem&) {
  return {};
}

Outcome CpuEngine::run(const Problem& problem) {
  Outcome outcome;
  if (outcome.message = schema_complaint(problem); !outcome.message.empty()) {
    outcome.kind = OutcomeKind::Rejected;
    return outcome;
  }
  const NodeDescription description(problem);
  const cellproof_cpu_options options{path_, threads_};
  std::array<char, 512> message{};
  cellproof_status status = CELLPROOF_OK;
  cellproof_cpu_plan* prepared = nullptr;
  outcome.timings.prepare = timed([&] {
    status = cellproof_cpu_prepare(&description.node(), &options, &prepared, message.data(), message.size());
  });
  Plan plan(prepared);
  if (status == CELLPROOF_OK) {
    outcome.outputs = outputs_of(problem);
    std::array<void*, CELLPROOF_OUTPUTS> data{};
    for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
      if (outcome.outputs[i]) data.at(i) = outcome.outputs[i]->bytes().data();
    outcome.timings.run = timed([&] {
      status = cellproof_cpu_run(plan.get(), description.data().data(), data.data(), message.data(), message.size());
    });
    outcome.timings.release = timed([&] { plan.reset(); });
  }
  outcome.kind = kind_of(status);
  if (status != CELLPROOF_OK) {
    outcome.message = message.data();
    outcome.outputs.clear();
  }
  return outcome;
}

}  // namespace cellproof::engines
