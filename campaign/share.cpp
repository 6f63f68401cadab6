#include "campaign/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace cellproof::campaign {
namespace {

using std::chrono::steady_clock;

/// Explanations are ended by what they count, so that two runs come to the same. The clock ends those that count too
/// little for a slow engine: a short run may take this long.
constexpr std::chrono::seconds always_explained{30};

/// The part of an engine's share of the time budget that is kept for explanations: one in so many.
constexpr int reserve_one_in = 5;

}  // namespace

Share share_of(const RunOptions& options, std::size_t k) {
  if (!options.time_budget) return {};
  const auto now = options.now();
  const auto end = options.begun + std::chrono::duration_cast<steady_clock::duration>(*options.time_budget);
  const auto share = (end - now) / static_cast<int>(options.engines.size() - k);
  return {now + share - share / reserve_one_in, now + share};
}

std::string text_of_time(steady_clock::duration time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

steady_clock::duration time_of_text(const std::string& text) {
  const double seconds = std::strtod(text.c_str(), nullptr);
  constexpr double longest = 1e8;  // beyond any run: others' words fit the clock all the same
  const bool is_time = text.ends_with(" s") && seconds > 0 && seconds < longest;
  return std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(is_time ? seconds : 0));
}

steady_clock::time_point end_of_modelling(steady_clock::time_point begin, steady_clock::time_point end) {
  return end + std::max<steady_clock::duration>(always_explained, (end - begin) / 2);
}

}  // namespace cellproof::campaign
