#pragma once

#include <cstddef>
#include <functional>

namespace cellproof::lab::bench::gpu {

/// Seconds of the device for one call of `issue`: the time between two events on the stream, over as many calls as fill
/// `seconds`, but at least one. `stream`: a cudaStream_t. Throws std::runtime_error.
double seconds_on_device(void* stream, double seconds, const std::function<void()>& issue);

/// Seconds of the device for one call that is issued while the device still clears `memory`: the host's part in it is
/// over when it begins. Throws std::runtime_error.
double seconds_behind_other_work(void* stream, void* memory, std::size_t bytes, const std::function<void()>& issue);

}  // namespace cellproof::lab::bench::gpu
