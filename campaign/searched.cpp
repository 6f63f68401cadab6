#include "campaign/searched.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {

Searched::Searched(const std::vector<corpus::Suite>& suites, const Shard& shard, std::string_view note,
                   const std::vector<Finding>& kept)
    : shard_(shard) {
  for (const corpus::Suite& suite : suites) {
    if (suite.is_endless()) suites_[suite.name].tried_below = shard.index;
  }
  take_over(note);
  for (const Finding& finding : kept) {
    const auto found = suites_.find(finding.suite);
    if (found == suites_.end()) continue;
    if (!finding.pass) ++alike_[signature_of(finding, {})];
    if (finding.number >= found->second.tried_below)
      this->note(found->second, finding.number, std::string(result_name(finding)));
  }
}

std::int64_t Searched::seen_below(const std::string& suite) const {
  const OfSuite& of = suites_.at(suite);
  return of.ahead.empty() ? of.tried_below : of.ahead.rbegin()->first + shard_.count;
}

bool Searched::is_tried(const std::string& suite, std::int64_t number) const {
  const OfSuite& of = suites_.at(suite);
  return number < of.tried_below || of.ahead.contains(number);
}

bool Searched::add(const Finding& finding) {
  note(suites_.at(finding.suite), finding.number, std::string(result_name(finding)));
  return is_kept(finding);
}

bool Searched::is_kept(const Finding& finding) {
  if (!finding.pass && ++alike_[signature_of(finding, {})] <= most_alike) return true;
  return finding.number < all_kept_below;
}

void Searched::note(OfSuite& suite, std::int64_t number, std::string result) const {
  suite.ahead.emplace(number, std::move(result));
  for (auto next = suite.ahead.begin(); next != suite.ahead.end() && next->first == suite.tried_below;
       next = suite.ahead.erase(next)) {
    ++suite.results[next->second];
    suite.tried_below += shard_.count;
  }
}

std::string Searched::to_text() const {
  std::string text;
  for (const auto& [name, suite] : suites_) {
    text += fmt::format("{}{} below {}:", text.empty() ? "" : "; ", name, suite.tried_below);
    const char* separator = " ";
    for (const auto& [result, count] : suite.results) {
      text += fmt::format("{}{} {}", separator, count, result);
      separator = ", ";
    }
  }
  return text;
}

void Searched::take_over(std::string_view note) {
  std::istringstream suites{std::string(note)};
  for (std::string part; std::getline(suites, part, ';');) {
    std::istringstream words(part);
    std::string name, below;
    std::int64_t number = 0;
    char colon = 0;
    if (!(words >> name >> below >> number >> colon) || !suites_.contains(name)) continue;
    OfSuite& suite = suites_[name];
    suite.tried_below = number;
    std::int64_t count = 0;
    for (std::string result; words >> count >> result;) {
      if (result.ends_with(',')) result.pop_back();
      suite.results[result] = count;
    }
  }
}

}  // namespace cellproof::campaign
