#include "campaign/searched.hpp"

#include <string>

#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {

Searched::Searched(const std::vector<corpus::Suite>& suites, const Shard& shard, const SearchedNote& taken_over,
                   const std::vector<Finding>& kept)
    : shard_(shard) {
  for (const corpus::Suite& suite : suites) {
    if (suite.is_endless()) suites_[suite.name].counted.tried_below = shard.index;
  }
  for (const auto& [name, suite] : taken_over) {
    if (const auto found = suites_.find(name); found != suites_.end()) found->second.counted = suite;
  }
  for (const Finding& finding : kept) {
    const auto found = suites_.find(finding.suite);
    if (found == suites_.end()) continue;
    if (!finding.pass) ++alike_[signature_of(finding, {})];
    if (finding.number >= found->second.counted.tried_below) count(found->second, finding);
  }
}

std::int64_t Searched::seen_below(const std::string& suite) const {
  const OfSuite& of = suites_.at(suite);
  return of.ahead.empty() ? of.counted.tried_below : of.ahead.rbegin()->first + shard_.count;
}

bool Searched::is_tried(const std::string& suite, std::int64_t number) const {
  const OfSuite& of = suites_.at(suite);
  return number < of.counted.tried_below || of.ahead.contains(number);
}

bool Searched::add(const Finding& finding) {
  count(suites_.at(finding.suite), finding);
  return is_kept(finding);
}

bool Searched::is_kept(const Finding& finding) {
  if (!finding.pass && ++alike_[signature_of(finding, {})] <= most_alike) return true;
  return finding.number < all_kept_below;
}

void Searched::count(OfSuite& suite, const Finding& finding) const {
  suite.ahead.emplace(finding.number, result_name(finding));
  for (auto next = suite.ahead.begin(); next != suite.ahead.end() && next->first == suite.counted.tried_below;
       next = suite.ahead.erase(next)) {
    ++suite.counted.results[next->second];
    suite.counted.tried_below += shard_.count;
  }
}

SearchedNote Searched::note() const {
  SearchedNote note;
  for (const auto& [name, suite] : suites_) note.emplace(name, suite.counted);
  return note;
}

}  // namespace cellproof::campaign
