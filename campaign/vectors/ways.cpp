#include "campaign/vectors/ways.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "oracle/reading_choices.hpp"

namespace cellproof::campaign {
namespace {

void add_ways(const Problem& problem, const Readings& readings, std::vector<Way>& ways) {
  std::string id = readings.are_default() ? "default" : fmt::format("{}", fmt::join(readings.differences(), " "));
  for (oracle::HonestOutputs& outputs : oracle::honest_outputs(problem, readings)) {
    const auto same = std::ranges::find(ways, outputs, &Way::outputs);
    if (same == ways.end()) {
      ways.push_back({{id}, std::move(outputs)});
    } else if (same->readings.back() != id) {
      same->readings.push_back(id);
    }
  }
}

}  // namespace

std::optional<std::vector<Way>> ways_of(const Problem& problem) {
  const oracle::ReadingChoices choices = oracle::reading_choices(problem, {});
  if (choices.untried) return std::nullopt;
  std::vector<Way> ways;
  add_ways(problem, {}, ways);
  for (const Readings& readings : choices.candidates) add_ways(problem, readings, ways);
  return ways;
}

bool any_admits(const std::vector<Way>& ways, const Outputs& outputs) {
  return std::ranges::any_of(ways, [&](const Way& way) { return oracle::admits(way.outputs, outputs); });
}

}  // namespace cellproof::campaign
