#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "causes/cover.hpp"

namespace cellproof::causes {
namespace {

/// Cases that a fault has to explain in a scope of its own.
constexpr std::ptrdiff_t fewest_for_a_scope = 3;

}  // namespace

std::optional<Cover::Gain> Cover::gain_of(const FaultSet& more, const FaultSet& all) {
  Gain gain{0, {}, all, scope_of(more.back())};
  const auto contradicts = [&](std::size_t k) {
    Item& item = items_[k];
    if (std::ranges::none_of(more, [&](const oracle::Fault* fault) { return touches(fault, item); })) return false;
    const Standing standing = item.rejudged.standing(acting_on(item, all));
    if (item.standing == Standing::Explained && standing == Standing::Excluded) {
      if (!item.rejudged.is_surely_excluded(acting_on(item, all))) return false;
      witness_[more.back()] = k;
      return true;
    }
    if (!item.passes && item.standing != Standing::Explained && standing == Standing::Explained) ++gain.explained;
    gain.standings.emplace_back(k, standing);
    return false;
  };
  const auto witness = witness_.find(more.back());
  if (witness != witness_.end() && contradicts(witness->second)) return std::nullopt;
  gain = {0, {}, all, gain.scope};
  for (std::size_t k = 0; k < items_.size(); ++k) {
    if (contradicts(k)) return std::nullopt;
  }
  return gain;
}

/// The faults so far with more of them, at each place: where one changes what another looks at, one way is right.
std::vector<FaultSet> Cover::each_with(const FaultSet& more) const {
  std::vector<FaultSet> ways;
  for (auto place = std::ssize(faults_); place >= 0; --place) {
    FaultSet& all = ways.emplace_back(faults_);
    all.insert(all.begin() + place, more.begin(), more.end());
  }
  return ways;
}

std::optional<Cover::Gain> Cover::gain_of(const FaultSet& more) {
  std::optional<Gain> best;
  for (const FaultSet& all : each_with(more)) {
    auto gain = gain_of(more, all);
    if (gain && (!best || gain->explained > best->explained)) best = std::move(gain);
  }
  return best;
}

std::optional<Cover::Gain> Cover::gain_in_scope(const oracle::Fault* fault) {
  if (fault->cls == oracle::FaultClass::Precision) return std::nullopt;  // it excuses too much
  std::optional<Gain> best;
  for (const FaultSet& all : each_with({fault})) {
    const auto scope = scope_with(fault, all);
    if (!scope) continue;
    scopes_[fault] = *scope;
    auto gain = gain_of({fault}, all);
    scopes_.erase(fault);
    if (gain && (!best || gain->explained > best->explained)) best = std::move(gain);
  }
  return best;
}

std::optional<Scope> Cover::scope_with(const oracle::Fault* fault, const FaultSet& all) {
  std::vector<Coordinates> explained, contradicting;
  for (Item& item : items_) {
    if (!touches(fault, item)) continue;
    if (item.standing != Standing::Explained) {
      const bool explains = !item.passes && item.rejudged.standing(acting_on(item, all)) == Standing::Explained;
      if (explains) explained.push_back(item.place);
    } else if (item.rejudged.is_surely_excluded(acting_on(item, all))) {
      contradicting.push_back(item.place);
    }
  }
  return std::ssize(explained) < fewest_for_a_scope ? std::nullopt : widest_scope(explained, contradicting);
}

}  // namespace cellproof::causes
