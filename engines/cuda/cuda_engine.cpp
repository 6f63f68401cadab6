#include "engines/cuda/cuda_engine.hpp"

namespace cellproof::engines {
namespace {

using CudaPlan = NodePlanOf<cellproof_cuda_plan, cellproof_cuda_run, cellproof_cuda_release>;

}  // namespace

EngineDescription CudaEngine::describe() {
  return {name_, CELLPROOF_VERSION, std::nullopt};
}

cellproof_status CudaEngine::prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                                     std::span<char> message) {
  const cellproof_cuda_options options{machine_, CELLPROOF_CUDA_PATH_AUTO, 0, 0};
  cellproof_cuda_plan* prepared = nullptr;
  const auto status = cellproof_cuda_prepare(&node, &options, &prepared, message.data(), message.size());
  if (status == CELLPROOF_OK) plan = std::make_unique<CudaPlan>(prepared);
  return status;
}

}  // namespace cellproof::engines
