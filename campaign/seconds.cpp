#include "campaign/seconds.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cellproof::campaign {
namespace {

/// Thirty years.
constexpr double most_seconds = 1e9;

}  // namespace

void check_seconds(std::string_view option, double seconds) {
  if (seconds > 0 && seconds <= most_seconds) return;  // neither is so of NaN
  throw std::invalid_argument(
      fmt::format("{} {}: expected seconds, more than 0 and at most {:.0f}", option, seconds, most_seconds));
}

}  // namespace cellproof::campaign
