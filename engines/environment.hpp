#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::engines {

/// Differences of a worker's environment from the harness's.
struct WorkerEnvironment {
  bool clean = false;                  ///< only what every worker needs (docs/worker-protocol.md), and `passed`
  std::vector<std::string> passed{};   ///< names that a clean environment keeps, too
  std::optional<std::uint8_t> fill{};  ///< fresh memory of its heap holds this byte (glibc's malloc; not 255)
  int threads = 0;                     ///< CELLPROOF_THREADS; 0: as it is
};

/// Makes it: strings NAME=VALUE, as execve takes them. `inherited`: the harness's own, closed by a null pointer. Throws
/// std::invalid_argument for a passed name that is none and for a fill of 255.
std::vector<std::string> strings_of(const WorkerEnvironment& environment, const char* const* inherited);

}  // namespace cellproof::engines
