#pragma once

// For headers that nvcc (C++17) and the host's compiler both read. CALLED: one copy of the code, which kernels call.
#ifdef __CUDACC__
#define CELLPROOF_HD __host__ __device__
#define CELLPROOF_HD_CALLED __noinline__ __host__ __device__
#else
#define CELLPROOF_HD
#define CELLPROOF_HD_CALLED inline
#endif

#include <cstdint>

namespace cellproof::cuda {

using Index = std::int64_t;

/// Lanes of a warp: a long sum is always cut into this many partial ones, on the host, too.
inline constexpr int lanes = 32;

/// Rows of a batch that one warp serves with each weight that it has read.
inline constexpr int rows_at_once = 4;

}  // namespace cellproof::cuda
