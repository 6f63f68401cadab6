#include "optimized/cpu/blas.hpp"
#include "optimized/cpu/plan.hpp"
#include "optimized/cpu/quantized_recurrence.hpp"
#include "optimized/cpu/recurrence.hpp"

namespace cellproof::cpu {
namespace {

/// What a path is made of.
struct Path {
  const char* name;
  const Kernels<float>& of_float;
  const Kernels<double>& of_double;
  const QuantizedKernels& quantized;
  const Blas* blas;
};

Path path_of(cellproof_cpu_path path) {
  const bool blas = path == CELLPROOF_CPU_PATH_OPENBLAS;
  return {blas ? "openblas" : "scalar", scalar_kernels<float>(), scalar_kernels<double>(), scalar_quantized_kernels(),
          blas ? Blas::open() : nullptr};
}

}  // namespace

ExecutorChoice make_executor(const Node& node, cellproof_cpu_path chosen, std::size_t threads) {
  const Path path = path_of(chosen);
  if (node.op == CELLPROOF_CPU_DYNAMIC_QUANTIZE_LSTM)
    return {std::make_unique<QuantizedRecurrence>(node, path.of_float, path.quantized, threads), path.name};
  if (node.type == CELLPROOF_CPU_DOUBLE)
    return {std::make_unique<Recurrence<double>>(node, path.of_double, path.blas, threads), path.name};
  return {std::make_unique<Recurrence<float>>(node, path.of_float, path.blas, threads), path.name};
}

const char* missing_for(cellproof_cpu_path path) {
  if (path == CELLPROOF_CPU_PATH_OPENBLAS) return Blas::missing().c_str();
  if (path == CELLPROOF_CPU_PATH_AVX2 || path == CELLPROOF_CPU_PATH_AVX512) return "this path is not built";
  return "";
}

}  // namespace cellproof::cpu
