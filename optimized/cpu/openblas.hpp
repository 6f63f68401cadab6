#pragma once

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/schedule.hpp"

namespace cellproof::cpu {

/// "" or what this machine lacks. Opens OpenBLAS at the first call, so that nothing needs it to build or to start.
const char* missing_for_openblas();

/// The kernels given here, with products by OpenBLAS, on the caller's thread. They are made once: `others` must be the
/// same at every call. OpenBLAS must not be missing.
const Kernels<float>& openblas_kernels(const Kernels<float>& others);
const Kernels<double>& openblas_kernels(const Kernels<double>& others);

/// Gives OpenBLAS all rows that there are: its rounding depends on how many it is given together.
Schedule schedule_for_openblas(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team);

}  // namespace cellproof::cpu
