#include "engines/cuda/cuda_engine.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "engines/cuda/node_description.hpp"
#include "engines/same_outputs.hpp"
#include "engines/schema_checks.hpp"

namespace cellproof::engines {
namespace {

struct ReleaseCudaPlan {
  void operator()(cellproof_cuda_plan* plan) const { cellproof_cuda_release(plan); }
};
using CudaPlan = std::unique_ptr<cellproof_cuda_plan, ReleaseCudaPlan>;

/// Adds the seconds of its life to a timing.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The outputs that are asked for, by position, of a problem that has been found valid.
std::vector<std::optional<Tensor>> empty_outputs(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  std::vector<std::optional<Tensor>> outputs(problem.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!problem.asks_for(i)) continue;
    Shape shape = batch_first ? Shape{N, D, H} : Shape{D, N, H};
    if (i == output::Y) shape = batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H};
    outputs[i].emplace(problem.input(input::X)->type(), shape);
  }
  return outputs;
}

/// What a plan came to, for a status that a case can have.
OutcomeKind outcome_kind(cellproof_status status, const char* message) {
  switch (status) {
    case CELLPROOF_OK:
      return OutcomeKind::Ran;
    case CELLPROOF_INVALID:
      return OutcomeKind::Rejected;
    case CELLPROOF_OUT_OF_MEMORY:
      return OutcomeKind::OutOfMemory;
    case CELLPROOF_UNAVAILABLE:  // it was there when the worker began
    case CELLPROOF_NOT_SUPPORTED:
    case CELLPROOF_FAILED:
      break;
  }
  throw std::runtime_error(message);
}

}  // namespace

EngineDescription CudaEngine::describe() {
  return {name_, "0.1.0", std::nullopt};
}

Support CudaEngine::supports(const Problem&) {
  return {};
}

Outcome CudaEngine::run(const Problem& problem) {
  Outcome outcome;
  if (outcome.message = schema_complaint(problem); !outcome.message.empty()) {
    outcome.kind = OutcomeKind::Rejected;
    return outcome;
  }
  const CudaNodeDescription description(problem);
  const cellproof_cuda_options options{machine_, CELLPROOF_CUDA_PATH_AUTO, 0, 0};
  std::array<char, 512> message{};
  cellproof_status status = CELLPROOF_OK;
  CudaPlan plan;
  {
    const Stopwatch stopwatch(outcome.timings.prepare);
    cellproof_cuda_plan* prepared = nullptr;
    status = cellproof_cuda_prepare(&description.node(), &options, &prepared, message.data(), message.size());
    plan.reset(prepared);
  }
  if (status == CELLPROOF_OK) {
    outcome.outputs = empty_outputs(problem);
    std::array<void*, CELLPROOF_OUTPUTS> data{};
    for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
      if (outcome.outputs[i]) data.at(i) = outcome.outputs[i]->bytes().data();
    {
      const Stopwatch stopwatch(outcome.timings.run);
      status = cellproof_cuda_run(plan.get(), description.data().data(), data.data(), message.data(), message.size());
    }
    const Outcome first = runs_ > 1 ? outcome : Outcome{};
    for (int again = 1; again < runs_ && status == CELLPROOF_OK; ++again) {
      status = cellproof_cuda_run(plan.get(), description.data().data(), data.data(), message.data(), message.size());
      if (!same_outputs(first, outcome)) outcome.misconduct = {Misconduct::DiffersOnRepeat};
    }
    const Stopwatch stopwatch(outcome.timings.release);
    plan.reset();
  }
  outcome.kind = outcome_kind(status, message.data());
  if (status != CELLPROOF_OK) {
    outcome.message = message.data();
    outcome.outputs.clear();
  }
  return outcome;
}

}  // namespace cellproof::engines
