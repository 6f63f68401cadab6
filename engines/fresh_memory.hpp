#pragma once

#include <cstdint>

#include "engines/worker_engine.hpp"

namespace cellproof::engines {

/// Each byte that a worker's heap holds before anybody has written it: 0.75 and 3.0 in bfloat16 and float, so that what
/// returns or adds it is far from right. An engine whose answer differs between the two returns memory that nobody
/// wrote.
inline constexpr std::uint8_t first_fill = 0x3f, second_fill = 0x40;

/// Returns the options of a worker whose fresh memory holds other bytes than an ordinary worker's.
WorkerOptions with_other_memory(WorkerOptions options);

}  // namespace cellproof::engines
