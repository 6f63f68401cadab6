#include "engines/cudnn/cudnn_engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "engines/cudnn/describe_cudnn_node.hpp"
#include "engines/same_outputs.hpp"
#include "engines/schema_checks.hpp"

namespace cellproof::engines {
namespace {

struct ReleaseCudnnPlan {
  void operator()(cellproof_cudnn_plan* plan) const { cellproof_cudnn_release(plan); }
};

/// Seconds that `work` takes.
template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Is it what cuDNN is known not to have (docs/gpu.md)?
bool is_a_known_limit(std::string_view reason) {
  std::size_t count = 0;
  const cellproof_cudnn_limit* const limits = cellproof_cudnn_limits(&count);
  return std::any_of(limits, limits + count, [&](const auto& limit) { return reason == limit.reason; });
}

/// Throws where the context is of no more use, or cuDNN refuses a node that nothing says it cannot express: passing
/// for one that it cannot, that would hide a fault in every case.
OutcomeKind outcome_of(cellproof_status status, const char* message) {
  switch (status) {
    case CELLPROOF_OK:
      return OutcomeKind::Ran;
    case CELLPROOF_INVALID:
      return OutcomeKind::Rejected;
    case CELLPROOF_NOT_SUPPORTED:
      if (is_a_known_limit(message)) return OutcomeKind::NotSupported;
      throw std::runtime_error(std::string("cuDNN refuses what is no limit of docs/gpu.md: ") + message);
    case CELLPROOF_OUT_OF_MEMORY:
      return OutcomeKind::OutOfMemory;
    case CELLPROOF_UNAVAILABLE:
    case CELLPROOF_FAILED:
      break;
  }
  throw std::runtime_error(message);
}

/// The outputs that are asked for, by position, of a problem that has been found valid.
std::vector<std::optional<Tensor>> wanted_outputs(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  const Shape state = batch_first ? Shape{N, D, H} : Shape{D, N, H};
  const std::array shapes{batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H}, state, state};
  std::vector<std::optional<Tensor>> outputs(problem.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (problem.asks_for(i)) outputs[i].emplace(problem.input(input::X)->type(), shapes.at(i));
  return outputs;
}

}  // namespace

const std::vector<CudnnVariant>& cudnn_variants() {
  // In sixteen bits cuDNN stores the state in its own type; what it keeps of C between steps is not documented.
  static const std::vector<CudnnVariant> list{
      {"fma", "cellproof-cudnn", CELLPROOF_CUDNN_MATH_FMA, ContractId::F32InsideStored},
      {"tf32", "cellproof-cudnn@tf32", CELLPROOF_CUDNN_MATH_TF32, ContractId::Tf32},
      {"tensor-op", "cellproof-cudnn@tensor-op", CELLPROOF_CUDNN_MATH_TENSOR_OP, ContractId::F32InsideStored}};
  return list;
}

CudnnContext open_cudnn(const CudnnVariant& variant, std::string& absent) {
  // Two sizes of cuBLAS's workspace let equal runs give other bits. cuDNN 9 asks cuBLASLt, which does not read this; it
  // costs nothing, and older parts may.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  if (variant.math == CELLPROOF_CUDNN_MATH_TF32)
    unsetenv("NVIDIA_TF32_OVERRIDE");
  else
    setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  const cellproof_cudnn_options options{variant.math, CELLPROOF_CUDNN_MEMORY_HOST};
  std::array<char, 1024> message{};
  cellproof_cudnn_context* context = nullptr;
  const auto status = cellproof_cudnn_open(&options, &context, message.data(), message.size());
  if (status == CELLPROOF_UNAVAILABLE) absent = message.data();
  if (status != CELLPROOF_OK && status != CELLPROOF_UNAVAILABLE) throw std::runtime_error(message.data());
  return CudnnContext(context);
}

EngineDescription CudnnEngine::describe() {
  return {name_, cellproof_cudnn_description(context_.get()), contract_};
}

Support CudnnEngine::supports(const Problem&) {
  return {};
}

Outcome CudnnEngine::run(const Problem& problem) {
  Outcome outcome;
  if (outcome.message = schema_complaint(problem); !outcome.message.empty()) {
    outcome.kind = OutcomeKind::Rejected;
    return outcome;
  }
  const CudnnNode description(problem);
  std::array<char, 1024> message{};
  cellproof_status status = CELLPROOF_OK;
  cellproof_cudnn_plan* prepared = nullptr;
  outcome.timings.prepare = seconds_of([&] {
    status = cellproof_cudnn_prepare(context_.get(), &description.node(), &prepared, message.data(), message.size());
  });
  std::unique_ptr<cellproof_cudnn_plan, ReleaseCudnnPlan> plan(prepared);
  if (status == CELLPROOF_OK) {
    outcome.outputs = wanted_outputs(problem);
    std::array<void*, CELLPROOF_OUTPUTS> data{};
    for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
      if (outcome.outputs[i]) data.at(i) = outcome.outputs[i]->bytes().data();
    outcome.timings.run = seconds_of([&] {
      status = cellproof_cudnn_run(plan.get(), description.data().data(), data.data(), message.data(), message.size());
    });
    const Outcome first = runs_ > 1 ? outcome : Outcome{};
    for (int again = 1; again < runs_ && status == CELLPROOF_OK; ++again) {
      status = cellproof_cudnn_run(plan.get(), description.data().data(), data.data(), message.data(), message.size());
      if (!same_outputs(first, outcome)) outcome.misconduct = {Misconduct::DiffersOnRepeat};
    }
    outcome.timings.release = seconds_of([&] { plan.reset(); });
  }
  outcome.kind = outcome_of(status, message.data());
  if (status != CELLPROOF_OK) {
    outcome.message = message.data();
    outcome.outputs.clear();
  }
  return outcome;
}

}  // namespace cellproof::engines
