#include "optimized/cpu/openblas.hpp"
#include "optimized/cpu/plan.hpp"
#include "optimized/cpu/quantized_recurrence.hpp"
#include "optimized/cpu/recurrence.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/amx.hpp"
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu {
namespace {

/// Parts of a path.
struct Path {
  const char* name;
  const Kernels<float>& of_float;
  const Kernels<double>& of_double;
  const QuantizedKernels& quantized;
  ScheduleOf* schedule = schedule_of;
};

Path scalar_path() {
  return {"scalar", scalar_kernels<float>(), scalar_kernels<double>(), scalar_quantized_kernels()};
}

#if CELLPROOF_CPU_SIMD

const char* missing_for_avx2() {
  const bool all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  return all ? "" : "this processor lacks AVX2, FMA or F16C";
}

const char* missing_for_avx512() {
  const bool all = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl");
  return all ? "" : "this processor lacks AVX-512 F, BW, CD, DQ or VL";
}

const char* missing_for_avx512_bf16() {
  if (*missing_for_avx512() != '\0') return missing_for_avx512();
  return __builtin_cpu_supports("avx512bf16") ? "" : "this processor lacks AVX512-BF16";
}

/// The one processor of Intel that was measured takes longer for products of pairs than for those of floats
/// (docs/measurements/cpu-speed.md).
bool multiplies_pairs_fast() {
  return *missing_for_avx512_bf16() == '\0' && !__builtin_cpu_is("intel");
}

const char* missing_for_amx() {
  if (*missing_for_avx512_bf16() != '\0') return missing_for_avx512_bf16();
  return __builtin_cpu_supports("avx512vnni") ? missing_for_tiles() : "this processor lacks AVX512-VNNI";
}

Path avx2_path() {
  return {"avx2", avx2_kernels<float>(), avx2_kernels<double>(), avx2_quantized_kernels()};
}

const char* missing_for_avx_vnni() {
  if (*missing_for_avx2() != '\0') return missing_for_avx2();
  return __builtin_cpu_supports("avxvnni") ? "" : "this processor lacks AVX-VNNI";
}

Path avx_vnni_path() {
  return {"avx-vnni", avx2_kernels<float>(), avx2_kernels<double>(), avx_vnni_quantized_kernels()};
}

Path avx512_path() {
  const bool vnni = __builtin_cpu_supports("avx512vnni");
  return {"avx512", avx512_kernels<float>(), avx512_kernels<double>(),
          vnni ? vnni_quantized_kernels() : avx512_quantized_kernels()};
}

Path avx512_bf16_path() {
  return {"avx512-bf16", avx512_bf16_kernels(), avx512_kernels<double>(), avx512_path().quantized};
}

Path amx_path() {
  return {"amx", amx_kernels(), avx512_kernels<double>(), amx_quantized_kernels(), schedule_for_tiles};
}

#else

const char* missing_for_avx2() {
  return "this build has no AVX2: it is for another processor";
}
const char* missing_for_avx_vnni() {
  return "this build has no AVX-VNNI: it is for another processor";
}
const char* missing_for_avx512() {
  return "this build has no AVX-512: it is for another processor";
}
const char* missing_for_avx512_bf16() {
  return "this build has no AVX-512: it is for another processor";
}
bool multiplies_pairs_fast() {
  return false;
}
const char* missing_for_amx() {
  return "this build has no AMX: it is for another processor";
}
Path avx2_path() {
  return scalar_path();
}
Path avx_vnni_path() {
  return scalar_path();
}
Path avx512_path() {
  return scalar_path();
}
Path avx512_bf16_path() {
  return scalar_path();
}
Path amx_path() {
  return scalar_path();
}

#endif

/// For floats and doubles. Products of bfloat16 and of bytes may be faster in ways of their own.
Path best_path() {
  if (*missing_for_avx512() == '\0') return avx512_path();
  if (*missing_for_avx_vnni() == '\0') return avx_vnni_path();
  return *missing_for_avx2() == '\0' ? avx2_path() : scalar_path();
}

Path openblas_path() {
  const Path others = best_path();
  return {"openblas", openblas_kernels(others.of_float), openblas_kernels(others.of_double), others.quantized,
          schedule_for_openblas};
}

Path path_of(cellproof_cpu_path path, const Node& node) {
  switch (path) {
    case CELLPROOF_CPU_PATH_SCALAR:
      return scalar_path();
    case CELLPROOF_CPU_PATH_AVX2:
      return avx2_path();
    case CELLPROOF_CPU_PATH_AVX_VNNI:
      return avx_vnni_path();
    case CELLPROOF_CPU_PATH_AVX512:
      return avx512_path();
    case CELLPROOF_CPU_PATH_AVX512_BF16:
      return avx512_bf16_path();
    case CELLPROOF_CPU_PATH_AMX:
      return amx_path();
    case CELLPROOF_CPU_PATH_OPENBLAS:
      return openblas_path();
    case CELLPROOF_CPU_PATH_AUTO:
      break;
  }
  const bool in_pairs = node.type == CELLPROOF_BFLOAT16, in_quads = node.op == CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
  if ((in_pairs || in_quads) && *missing_for_amx() == '\0') return amx_path();
  return in_pairs && multiplies_pairs_fast() ? avx512_bf16_path() : best_path();
}

}  // namespace

ExecutorChoice make_executor(const Node& node, cellproof_cpu_path chosen, std::size_t threads) {
  const Path path = path_of(chosen, node);
  if (node.op == CELLPROOF_DYNAMIC_QUANTIZE_LSTM)
    return {std::make_unique<QuantizedRecurrence>(node, path.of_float, path.quantized, threads), path.name};
  if (node.type == CELLPROOF_DOUBLE)
    return {std::make_unique<Recurrence<double>>(node, path.of_double, path.schedule, threads), path.name};
  return {std::make_unique<Recurrence<float>>(node, path.of_float, path.schedule, threads), path.name};
}

const char* missing_for(cellproof_cpu_path path) {
  switch (path) {
    case CELLPROOF_CPU_PATH_AVX2:
      return missing_for_avx2();
    case CELLPROOF_CPU_PATH_AVX_VNNI:
      return missing_for_avx_vnni();
    case CELLPROOF_CPU_PATH_AVX512:
      return missing_for_avx512();
    case CELLPROOF_CPU_PATH_AVX512_BF16:
      return missing_for_avx512_bf16();
    case CELLPROOF_CPU_PATH_AMX:
      return missing_for_amx();
    case CELLPROOF_CPU_PATH_OPENBLAS:
      return missing_for_openblas();
    case CELLPROOF_CPU_PATH_AUTO:
    case CELLPROOF_CPU_PATH_SCALAR:
      break;
  }
  return "";
}

}  // namespace cellproof::cpu
