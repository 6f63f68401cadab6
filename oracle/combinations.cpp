#include "oracle/combinations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "oracle/reading_choices.hpp"

namespace cellproof::oracle {
namespace {

/// Each look costs about as much as judging the case.
constexpr double most_looks = 1024;
/// Without Y a look follows every step and leaves no row out, so fewer are afforded where each would take long.
constexpr double least_looks = 16, looks_by_products = 3e7;
/// Each of those that are left is tried under every contract.
constexpr std::size_t most_left = 256;
constexpr std::uint64_t most_listed = std::uint64_t{1} << 17;

bool is_of_structure(Clause clause) {
  return clause == Clause::PaddingOfY || clause == Clause::ZeroLengthState || clause == Clause::EmptySequenceState;
}

/// Could another reading of the clause, and of any that does not bear on them, mend these elements? `readings` excluded
/// them.
bool bears_on(const ExcludedBy& by, Clause clause, const Readings& readings, const Observed& seen) {
  if (clause == Clause::LayoutOther) return true;
  if (by.structure || is_of_structure(clause)) return by.structure && is_of_structure(clause);
  switch (clause) {
    case Clause::ClipScope:
      return seen.problem.attributes.clip != 0.0F || !readings.is(Clause::ClipZero, "off");
    case Clause::AlphaAcrossDirections:
      return !by.stretch || by.stretch->d > 0;
    case Clause::DqFinishedRows:
      if (readings.is(Clause::DqGranularity, "none")) return false;
      return !by.stretch || by.stretch->last >= std::ranges::min(seen.layout.lengths);
    default:
      return true;
  }
}

std::size_t affordable_looks(const Observed& seen) {
  if (seen.Y) return static_cast<std::size_t>(most_looks);
  const double products = static_cast<double>(seen.layout.D) * seen.layout.products(seen.problem.version.op);
  return static_cast<std::size_t>(std::clamp(looks_by_products / (1 + products), least_looks, most_looks));
}

}  // namespace

Combinations::Combinations(const Observed& seen, Evaluator& evaluator, Limits limits, Depth depth)
    : seen_(seen),
      evaluator_(evaluator),
      limits_(std::move(limits)),
      depth_(depth),
      most_looks_(affordable_looks(seen)) {
  for (const Clause clause : open_clauses(seen.problem)) {
    std::vector<std::string_view> values = other_values(info(clause));
    values.insert(values.begin(), info(clause).readings.front().id);
    const std::uint64_t count = values.size();
    open_.push_back({clause, std::move(values), total_});
    total_ *= count;
  }
  if (total_ > most_listed) return;
  all_.resize(total_);
  std::iota(all_.begin(), all_.end(), Combination{0});
  std::ranges::stable_sort(all_, {}, [this](Combination combination) {
    return std::ranges::count_if(open_, [&](const Open& open) { return digit(open, combination) != 0; });
  });
}

std::size_t Combinations::digit(const Open& open, Combination combination) {
  return combination / open.weight % open.values.size();
}

Readings Combinations::readings_of(Combination combination) const {
  Readings readings;
  for (const Open& open : open_) readings = readings.with(open.clause, open.values[digit(open, combination)]);
  return readings;
}

Combinations::Combination Combinations::masked(Combination combination, Mask mask) const {
  Combination kept = 0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    if (mask >> k & 1U) kept += digit(open_[k], combination) * open_[k].weight;
  }
  return kept;
}

bool Combinations::is_excluded(Combination combination) const {
  return std::ranges::any_of(excluded_,
                             [&](const auto& same) { return same.second.contains(masked(combination, same.first)); });
}

Combinations::Mask Combinations::bearing_on(const ExcludedBy& by, const Readings& readings) const {
  Mask mask = 0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    if (bears_on(by, open_[k].clause, readings, seen_)) mask |= Mask{1} << k;
  }
  return mask;
}

bool Combinations::advance() {
  while (next_ < all_.size() && is_excluded(all_[next_])) ++next_;
  if (next_ == all_.size() || looked_at_ == most_looks_ || left_.size() == most_left) return false;
  const Combination combination = all_[next_++];
  ++looked_at_;
  const Readings readings = readings_of(combination);
  Hypothesis hypothesis = limits_(readings);
  hypothesis.readings = readings;
  const Evaluation found = evaluator_.evaluate(hypothesis, depth_);
  if (!found.excluded()) {
    left_.push_back(hypothesis.readings);
  } else if (found.excluded_by) {
    const Mask mask = bearing_on(*found.excluded_by, hypothesis.readings);
    excluded_[mask].insert(masked(combination, mask));
  }
  return true;
}

std::size_t Combinations::count_open() const {
  if (all_.empty()) return total_;
  return static_cast<std::size_t>(std::count_if(all_.begin() + static_cast<std::ptrdiff_t>(next_), all_.end(),
                                                [&](Combination combination) { return !is_excluded(combination); }));
}

}  // namespace cellproof::oracle
