#include "engines/memory_growth.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace cellproof::engines {
namespace {

constexpr std::size_t most_seen = 4096;
constexpr std::int64_t enough_answers = 100;
/// Below this it may be the runtime's own arenas finding their size.
constexpr std::uint64_t least_growth = 32ull << 20;
/// Each fourth has to bring at least this part of the growth between the first and the last.
constexpr double least_share = 1.0 / 6;

}  // namespace

void MemoryGrowth::note(std::int64_t answers, std::uint64_t resident) {
  if (!seen_.empty() && seen_.back().answers == answers) {
    seen_.back().resident = std::min(seen_.back().resident, resident);
    return;
  }
  if (seen_.size() == most_seen) {  // every other one
    for (std::size_t k = 0; k < most_seen / 2; ++k) seen_[k] = seen_[2 * k];
    seen_.resize(most_seen / 2);
  }
  seen_.push_back({answers, resident});
}

std::optional<double> MemoryGrowth::per_answer() const {
  if (seen_.empty() || seen_.back().answers - seen_.front().answers < enough_answers) return std::nullopt;
  const std::int64_t first = seen_.front().answers, span = seen_.back().answers - first;
  std::array<std::uint64_t, 4> least;
  least.fill(std::numeric_limits<std::uint64_t>::max());
  for (const Seen& one : seen_) {
    const auto fourth = static_cast<std::size_t>(std::min<std::int64_t>((one.answers - first) * 4 / span, 3));
    least.at(fourth) = std::min(least.at(fourth), one.resident);
  }
  if (*std::ranges::max_element(least) == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  if (least[3] < least[0] + least_growth) return std::nullopt;
  const auto growth = static_cast<double>(least[3] - least[0]);
  for (std::size_t k = 1; k < least.size(); ++k) {
    if (static_cast<double>(least[k]) - static_cast<double>(least[k - 1]) < growth * least_share) return std::nullopt;
  }
  return growth / (static_cast<double>(span) * 3 / 4);
}

}  // namespace cellproof::engines
