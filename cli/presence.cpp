#include "cli/presence.hpp"

#include <fmt/format.h>

#include "campaign/exit_code.hpp"

namespace cellproof::cli {

Presence presence_of(engines::WorkerEngine& worker, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  if (const std::string trouble = worker.start_failure(); !trouble.empty()) {
    fmt::print(stderr, "{}: cannot start: {}\n", name, trouble);
    return Presence::CannotStart;
  }
  if (const std::string absent = worker.absence(); !absent.empty()) {
    fmt::print(stderr, "{}: absent: {}\n", name, absent);
    return Presence::Absent;
  }
  return Presence::Here;
}

int with_failed_start(int code, bool an_engine_cannot_start) {
  if (!an_engine_cannot_start || code == campaign::nothing_ran) return code;
  return campaign::worse_of(code, campaign::unexpected);
}

}  // namespace cellproof::cli
