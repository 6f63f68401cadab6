#pragma once

#include <array>
#include <cstdint>

#include "engines/protocol.hpp"

namespace cellproof::engines {

/// Between harness and keeper: a socket that keeps messages apart. The keeper finds its end here.
inline constexpr int control_descriptor = reply_descriptor + 1;

/// The one request that the harness makes: end the worker and all that descends from it.
inline constexpr char end_request = 'k';

/// Worker and descendants carry the harness's process id in this environment variable.
inline constexpr const char* harness_variable = "CELLPROOF_HARNESS";

/// A process that outlived the worker.
struct LeftBehind {
  std::int32_t pid = 0;
  std::array<char, 16> name{};  ///< as /proc/PID/comm, cut at 15 bytes, closed by 0
};

/// A keeper's message. Both ends are of one build, so it travels as it lies in memory.
struct KeeperReport {
  enum class Kind : std::int32_t { Started, Failed, Ended };
  Kind kind = Kind::Failed;
  std::int32_t number = 0;             ///< process id of the worker; errno of its exec; its status as waitpid gives it
  std::int32_t left_behind = 0;        ///< how many processes outlived the worker
  std::int32_t still_alive = 0;        ///< not 0: some of them could not be ended
  std::array<LeftBehind, 16> names{};  ///< of the first of them
};

}  // namespace cellproof::engines
