#include "spec/contract_sources.hpp"

#include <array>
#include <cstddef>

namespace cellproof {
namespace {

using enum ContractId;

struct Origin {
  ContractId id;
  std::string_view numbers;   ///< where they come from
  std::string_view settings;  ///< of known runtimes
};

constexpr std::array origins = std::to_array<Origin>({
    {F32Strict, "binary32; functions right to one ulp, a convention for libraries that promise it", ""},
    {F32, "binary32; functions as libm, literal formulas and rational kernels were measured, a convention", ""},
    {F32FastActivations, "binary32; functions of eight times the usual error, a convention", ""},
    {Tf32, "factors of 11 significant bits, rounded or cut (NVIDIA's TF32)",
     "ONNX Runtime's CUDA provider with use_tf32=1 (its default); PyTorch with torch.backends.cudnn.allow_tf32"},
    {F32ByF16, "factors rounded to binary16 and its range", "oneDNN with ONEDNN_DEFAULT_FPMATH_MODE=F16"},
    {F32ByBf16, "factors rounded to bfloat16",
     "oneDNN with ONEDNN_DEFAULT_FPMATH_MODE=BF16; ONNX Runtime with mlas.enable_gemm_fastmath_arm64_bfloat16=1"},
    {F32InF16, "inputs, states and gates rounded to binary16 and its range, sums in binary32",
     "OpenVINO with INFERENCE_PRECISION_HINT=f16; TensorRT with the FP16 flag"},
    {F32InBf16, "inputs, states and gates rounded to bfloat16, sums in binary32",
     "OpenVINO on processors with AVX512-BF16 or AMX unless INFERENCE_PRECISION_HINT=f32"},
    {F32Inside, "binary32 between tensors of 16 bits, one rounding of the output; functions as in f32", ""},
    {F32InsideStored, "the same with pre-activations, gates and C in 16 bits", ""},
    {Elementwise16, "all but sums in 16 bits; functions right to one ulp of 16 bits, a convention", ""},
    {Accumulate16, "sums in 16 bits, too", ""},
    {F64, "binary64; functions as in f32, in its own ulps", ""},
    {F64ViaF32, "double tensors narrowed to binary32 and computed in it", ""},
    {F64InF16, "double tensors narrowed, all but sums in binary16, sums in binary32",
     "OpenVINO with INFERENCE_PRECISION_HINT=f16"},
    {F64InBf16, "double tensors narrowed, all but sums in bfloat16, sums in binary32",
     "OpenVINO on processors with AVX512-BF16 or AMX unless INFERENCE_PRECISION_HINT=f32"},
});

constexpr bool is_complete() {
  for (std::size_t k = 0; k < origins.size(); ++k) {
    if (static_cast<std::size_t>(origins[k].id) != 2 * k) return false;
  }
  return 2 * origins.size() == static_cast<std::size_t>(F64InBf16Ftz) + 1;
}
static_assert(is_complete());

constexpr std::string_view flushing_settings =
    "ONNX Runtime with session.set_denormal_as_zero=1; OpenVINO with CPU_DENORMALS_OPTIMIZATION=YES; PyTorch with "
    "torch.set_flush_denormal(True)";

const Origin& origin_of(ContractId id) {
  return origins.at(static_cast<std::size_t>(id) / 2);
}

}  // namespace

std::string_view source_of(ContractId id) {
  return origin_of(id).numbers;
}

std::string runtime_settings(ContractId id) {
  std::string settings(origin_of(id).settings);
  if (!flushes(id)) return settings;
  if (!settings.empty()) settings += "; and for subnormals ";
  return settings += flushing_settings;
}

}  // namespace cellproof
