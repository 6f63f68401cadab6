#pragma once

#include <cstddef>
#include <functional>

namespace cellproof::campaign {

/// Does `work` for each number below `count`, in order, by three threads: an engine computes for one of them while the
/// others judge and write. The first exception ends it and is thrown here. `purpose`: of the threads, "to reduce
/// cases".
void at_once(const char* purpose, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace cellproof::campaign
