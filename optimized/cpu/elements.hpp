#pragma once

#include <cstddef>

#include "optimized/cpu/cellproof_cpu.h"

namespace cellproof::cpu {

/// Elements [first, first + count) of a tensor's data as Real, exactly. Real is float for float16, bfloat16 and float,
/// and double for double.
template <class Real>
void widen(cellproof_type type, const void* data, std::size_t first, std::size_t count, Real* result);

/// The inverse: each value rounded once, to nearest even.
template <class Real>
void narrow(cellproof_type type, const Real* values, std::size_t count, void* data, std::size_t first);

}  // namespace cellproof::cpu
