#include "engines/cpu/cpu_engine.hpp"

namespace cellproof::engines {
namespace {

using CpuPlan = NodePlanOf<cellproof_cpu_plan, cellproof_cpu_run, cellproof_cpu_release>;

}  // namespace

EngineDescription CpuEngine::describe() {
  return {name_, CELLPROOF_VERSION, std::nullopt, true, path_ != CELLPROOF_CPU_PATH_OPENBLAS};
}

cellproof_status CpuEngine::prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                                    std::span<char> message) {
  const cellproof_cpu_options options{path_, threads_};
  cellproof_cpu_plan* prepared = nullptr;
  const auto status = cellproof_cpu_prepare(&node, &options, &prepared, message.data(), message.size());
  if (status == CELLPROOF_OK) plan = std::make_unique<CpuPlan>(prepared);
  return status;
}

}  // namespace cellproof::engines
