#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/node/node_engine.hpp"
#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::engines {

struct CloseCudnn {
  void operator()(cellproof_cudnn_context* context) const { cellproof_cudnn_close(context); }
};
using CudnnContext = std::unique_ptr<cellproof_cudnn_context, CloseCudnn>;

/// cuDNN (optimized/cudnn) in one kind of arithmetic.
class CudnnEngine : public NodeEngine {
 public:
  CudnnEngine(CudnnContext context, std::string name, std::optional<ContractId> contract, int runs = 1)
      : NodeEngine(runs), context_(std::move(context)), name_(std::move(name)), contract_(contract) {}
  EngineDescription describe() override;

 private:
  cellproof_status prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                           std::span<char> message) override;
  /// As docs/gpu.md lists them.
  bool is_a_known_limit(const std::string& reason) const override;

  CudnnContext context_;
  std::string name_;
  std::optional<ContractId> contract_;
};

/// One kind of arithmetic as an engine of its own.
struct CudnnVariant {
  const char* argument;  ///< of the worker
  const char* engine;    ///< its name
  cellproof_cudnn_math math;
  ContractId contract;  ///< that it declares; it binds for the types that the contract is about
};
/// "fma", "tf32", "tensor-op"
const std::vector<CudnnVariant>& cudnn_variants();

/// A context for that arithmetic with the tensors on the host, and the environment that it needs: equal runs give equal
/// bits, and TF32 is nowhere but where it is asked for. Null where there is no driver, device or cuDNN: `absent` then
/// says why. Throws std::runtime_error for what is there and does not work.
CudnnContext open_cudnn(const CudnnVariant& variant, std::string& absent);

}  // namespace cellproof::engines
