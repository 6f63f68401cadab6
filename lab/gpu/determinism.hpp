#pragma once

#include "lab/gpu/part.hpp"

namespace cellproof::lab {

/// Part `determinism` of gpu-check: each engine that is present gives the same bits for the same case, whether it is
/// run again with one plan (three times), in another order, with other numbers in the padding of X, or on four threads
/// (each with a stream of its own). `record["determinism"][ENGINE]`: walk.hpp's progress.
int check_determinism(GpuPart& part);

}  // namespace cellproof::lab
