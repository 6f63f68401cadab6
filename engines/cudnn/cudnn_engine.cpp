#include "engines/cudnn/cudnn_engine.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace cellproof::engines {
namespace {

using CudnnPlan = NodePlanOf<cellproof_cudnn_plan, cellproof_cudnn_run, cellproof_cudnn_release>;

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

cellproof_status CudnnEngine::prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                                      std::span<char> message) {
  cellproof_cudnn_plan* prepared = nullptr;
  const auto status = cellproof_cudnn_prepare(context_.get(), &node, &prepared, message.data(), message.size());
  if (status == CELLPROOF_OK) plan = std::make_unique<CudnnPlan>(prepared);
  return status;
}

bool CudnnEngine::is_a_known_limit(const std::string& reason) const {
  std::size_t count = 0;
  const cellproof_cudnn_limit* const limits = cellproof_cudnn_limits(&count);
  return std::any_of(limits, limits + count, [&](const auto& limit) { return reason == limit.reason; });
}

}  // namespace cellproof::engines
