#include "fuzz/violations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "corpus/suites/invalid_parts.hpp"
#include "fuzz/broken_case.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using corpus::catalogue::Breach;

std::vector<Breach> breaches_of(const Case& c) {
  return corpus::catalogue::breaches_of(c, corpus::catalogue::Breaches::OfEveryVersion);
}

/// A row of the covering array, made a case.
struct Start {
  Row row;
  Case c;
  bool is_open;                                        ///< some clause lets an engine refuse it
  std::map<std::string, std::vector<Breach>> by_rule;  ///< how it can be broken; made when first asked for

  const std::vector<Breach>& breaches(const std::string& rule) {
    if (by_rule.empty()) {
      for (Breach& breach : breaches_of(c)) by_rule[breach.rule].push_back(std::move(breach));
    }
    return by_rule[rule];
  }
};

/// The values of the row that the broken case still has; a breach can take the place of one.
Row kept_values(const CaseSpace& space, const Row& row, const Case& broken) {
  Row kept = row_of(space, broken);
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (kept[k] != row[k] || (space.ignored[k] >> row[k] & 1U) != 0) kept[k] = SIZE_MAX;
  }
  return kept;
}

/// For each factor the values with which the rule was broken.
using Met = std::vector<ValueSet>;

std::size_t news(const Met& met, const Row& row) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < row.size(); ++k) count += row[k] != SIZE_MAX && (met[k] >> row[k] & 1U) == 0;
  return count;
}

void note(Met& met, const Row& row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] != SIZE_MAX) met[k] |= ValueSet{1} << row[k];
  }
}

/// One rule beside as many values as can be, with few cases: always the start that promises most, until none promises
/// anything. A start in which the rule cannot be broken alone in the way whose turn it is may do so in another way.
void violate(const CaseSpace& space, const std::string& rule, std::vector<Start>& starts, bool open_ones,
             std::vector<ViolatingCase>& list) {
  Met met(space.factors.size(), 0);
  // The news that each start had when last looked at, at least what it has now; none of one that is used.
  std::vector<std::size_t> at_most;
  for (const Start& start : starts) at_most.push_back(start.is_open == open_ones ? SIZE_MAX : 0);
  std::size_t turn = 0;
  for (;;) {
    std::size_t best = starts.size();
    std::size_t promised = 0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      if (at_most[k] <= promised) continue;
      at_most[k] = news(met, starts[k].row);
      if (at_most[k] <= promised) continue;
      best = k;
      promised = at_most[k];
    }
    if (best == starts.size()) return;
    at_most[best] = 0;
    const std::vector<Breach>& breaches = starts[best].breaches(rule);
    for (std::size_t k = 0; k < breaches.size(); ++k) {
      const Breach& breach = breaches[(turn + k) % breaches.size()];
      Row kept = kept_values(space, starts[best].row, breach.c);
      if (news(met, kept) == 0 || !breaks_one_rule(breach, open_ones)) continue;
      note(met, kept);
      list.push_back({breach.rule, breach.way, breach.c, std::move(kept)});
      ++turn;
      break;
    }
  }
}

}  // namespace

std::vector<ViolatingCase> violating_cases(const CaseSpace& space, const std::vector<Row>& rows) {
  std::vector<Start> starts;
  std::set<std::string> rules;
  std::set<OperatorVersion> versions;
  std::uint64_t number = 0;
  for (const Row& row : rows) {
    Case c = case_of(space, row, ++number);
    const bool is_open = expectation_of(c).kind != Expectation::Kind::Accept;
    if (versions.insert(c.version).second) {
      for (const Breach& breach : breaches_of(c)) rules.insert(breach.rule);
    }
    starts.push_back({row, std::move(c), is_open, {}});
  }
  std::vector<ViolatingCase> list;
  for (const std::string& rule : rules) {
    const std::size_t before = list.size();
    violate(space, rule, starts, false, list);
    if (list.size() == before) violate(space, rule, starts, true, list);
  }
  return list;
}

}  // namespace cellproof::fuzz
