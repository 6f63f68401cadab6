#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::engines {

struct CloseCudnn {
  void operator()(cellproof_cudnn_context* context) const { cellproof_cudnn_close(context); }
};
using CudnnContext = std::unique_ptr<cellproof_cudnn_context, CloseCudnn>;

/// cuDNN (optimized/cudnn) in one kind of arithmetic. Weights that are initializers are constants of the plan, all
/// others come with the run. A device that fails is thrown as std::runtime_error: its process is of no more use.
class CudnnEngine : public Engine {
 public:
  /// `runs`: how often each plan computes its problem; other bits than the first time are misconduct.
  CudnnEngine(CudnnContext context, std::string name, std::optional<ContractId> contract, int runs = 1)
      : context_(std::move(context)), name_(std::move(name)), contract_(contract), runs_(runs) {}
  EngineDescription describe() override;
  Support supports(const Problem& problem) override;
  Outcome run(const Problem& problem) override;

 private:
  CudnnContext context_;
  std::string name_;
  std::optional<ContractId> contract_;
  int runs_;
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
