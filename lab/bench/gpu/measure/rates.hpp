#pragma once

#include "lab/bench/gpu/floor.hpp"

namespace cellproof::lab::bench::gpu {

/// Measured here and now: the best of some copies of 512 MiB, and of some products of 4096 by 4096 numbers by cuBLAS,
/// or by our own kernel where there is none.
Rates measure_rates();

}  // namespace cellproof::lab::bench::gpu
