#pragma once

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/quantized_kernels.hpp"

namespace cellproof::cpu {

/// AVX2 and FMA. Real: float, double.
template <class Real>
const Kernels<Real>& avx2_kernels();

/// AVX-512 F, BW, CD, DQ and VL.
template <class Real>
const Kernels<Real>& avx512_kernels();

template <>
const Kernels<float>& avx2_kernels();
template <>
const Kernels<double>& avx2_kernels();
template <>
const Kernels<float>& avx512_kernels();
template <>
const Kernels<double>& avx512_kernels();

/// The same with products of pairs of bfloat16, for which the processor must have AVX512_BF16, too.
const Kernels<float>& avx512_bf16_kernels();
/// The same with such products in AMX's tiles.
const Kernels<float>& amx_kernels();

/// Products of bytes: by 16-bit multiplications, or four at once by AVX-VNNI or AVX512_VNNI, many rows of them in AMX's
/// tiles.
const QuantizedKernels& avx2_quantized_kernels();
const QuantizedKernels& avx_vnni_quantized_kernels();
const QuantizedKernels& avx512_quantized_kernels();
const QuantizedKernels& vnni_quantized_kernels();
const QuantizedKernels& amx_quantized_kernels();

}  // namespace cellproof::cpu
