#include "cli/presence.hpp"

#include <fmt/format.h>

#include "engines/registry.hpp"

namespace cellproof::cli {

Presence presence_of(engines::WorkerEngine& worker, const std::string& argument) {
  const std::string name = engines::name_of_argument(argument);
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

}  // namespace cellproof::cli
