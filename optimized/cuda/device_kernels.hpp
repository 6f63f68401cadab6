#pragma once

#include <cstddef>

#include "optimized/cuda/bodies.hpp"

// Launches of device_kernels.cu: on the stream given (a cudaStream_t), without waiting. The result is a cudaError_t.

namespace cellproof::cuda {

/// body(i) for i from 0 to count - 1.
template <class Body>
int launch_each(const Body& body, Index count, void* stream);

/// All sums of a body (products.hpp), a warp each.
template <class Body>
int launch_sums(const Body& body, void* stream);

/// All groups of sums of a body (lane_sums.hpp), a warp each.
template <class Body>
int launch_groups(const Body& body, void* stream);

/// All steps of a persistent recurrence, its blocks at once.
template <Storage storage, Recurrence recurrence>
int launch_persistent(const PersistentDirections<storage>& persistent, void* stream);

/// Counts the blocks of the kernel above, whose blocks exchange flagged words or wait at a barrier, a device holds at
/// once with that much shared memory (bytes_kept); 0: it does not fit.
template <Storage storage, Recurrence recurrence>
int most_persistent_blocks(bool exchanges, std::size_t bytes, Index& blocks);

}  // namespace cellproof::cuda
