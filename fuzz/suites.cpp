#include "fuzz/suites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "fuzz/case_axes.hpp"
#include "fuzz/law_suite.hpp"
#include "fuzz/supported_part.hpp"
#include "fuzz/violations.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::fuzz {
namespace {

using corpus::SuiteCase;

/// Those of covering_rows(), drawn once for the two suites that are made from them.
const std::vector<Row>& rows_of_pairs(Operator op) {
  static const std::map<Operator, std::vector<Row>> rows = [] {
    std::map<Operator, std::vector<Row>> all;
    for (const Operator each : all_operators()) all.emplace(each, covering_rows(case_space(each), 2));
    return all;
  }();
  return rows.at(op);
}

/// Values are drawn by the number of the row, so that no two cases have the same.
std::vector<SuiteCase> covering_cases(std::size_t strength) {
  std::vector<SuiteCase> cases;
  for (const Operator op : all_operators()) {
    const CaseSpace space = case_space(op);
    std::uint64_t number = 0;
    for (const Row& row : strength == 2 ? rows_of_pairs(op) : covering_rows(space, strength)) {
      Case c = case_of(space, row, ++number);
      cases.push_back({fmt::format("{}/{:04}", to_string(c.version), number), std::move(c)});
    }
  }
  return cases;
}

/// Behind the pairs of what nodes mean: how they are presented, with little else.
std::vector<SuiteCase> pairs() {
  std::vector<SuiteCase> cases = covering_cases(2);
  for (const Operator op : all_operators()) {
    const CaseSpace space = presentation_space(op);
    std::uint64_t number = 0;
    for (const Row& row : presentation_rows(space)) {
      Case c = case_of(space, row, ++number);
      cases.push_back({fmt::format("{}/presentation/{:04}", to_string(c.version), number), std::move(c)});
    }
  }
  return cases;
}

std::vector<SuiteCase> triples() {
  return covering_cases(3);
}

std::vector<SuiteCase> violations() {
  std::vector<SuiteCase> cases;
  for (const Operator op : all_operators()) {
    const CaseSpace space = case_space(op);
    std::size_t number = 0;
    for (ViolatingCase& violating : violating_cases(space, rows_of_pairs(op))) {
      cases.push_back(
          {fmt::format("{}/{}/{}/{:04}", to_string(violating.c.version), violating.rule, violating.way, ++number),
           std::move(violating.c)});
    }
  }
  return cases;
}

std::vector<SuiteCase> cases_of_laws() {
  return law_cases(12);
}

/// An engine that does without much refuses nearly every case of pairs(), each of which has many values. The same pairs
/// of what it supports alone are asked behind them.
std::vector<SuiteCase> pairs_of_supported(const engines::Probe& ask) {
  std::vector<SuiteCase> cases;
  const auto add = [&](const CaseSpace& space, std::string_view way, std::size_t there, const std::vector<Row>& rows) {
    std::uint64_t number = there;
    for (const Row& row : rows) {
      Case c = case_of(space, row, ++number);
      cases.push_back({fmt::format("{}/{}/{:04}", to_string(c.version), way, number), std::move(c)});
    }
  };
  for (const Operator op : all_operators()) {
    const CaseSpace space = case_space(op);
    const std::vector<Row>& rows = rows_of_pairs(op);
    if (const auto part = supported_part(space, rows, ask))
      add(space, "supported", rows.size(), covering_rows(space, 2, &*part));
    const CaseSpace presented = presentation_space(op);
    const std::vector<Row> as_presented = presentation_rows(presented);
    if (const auto part = supported_part(presented, as_presented, ask))
      add(presented, "presentation/supported", as_presented.size(), presentation_rows(presented, &*part));
  }
  return cases;
}

struct Entry {
  corpus::SuiteInfo info;
  std::vector<SuiteCase> (*make)();
  corpus::Suite::Further further = {};
};

const std::array made{
    Entry{{"pairs", "every pair of axis values that a valid case can have", true}, pairs, pairs_of_supported},
    Entry{{"violations", "every rule broken, by itself, beside every axis value beside which it can be"}, violations},
    Entry{{"triples", "every three axis values that a valid case can have together", true}, triples},
    Entry{{"laws", "every law on cases of which it speaks: relations between runs that need no expected values"},
          cases_of_laws},
};

const std::vector<TierInfo>& tier_list() {
  static const std::vector<TierInfo> list = [] {
    std::vector<TierInfo> tiers{{"quick", {"onnx-backend", "smoke", "invalid"}}};
    const auto extend = [&](std::string_view name, std::vector<std::string_view> suites) {
      suites.insert(suites.begin(), tiers.back().suites.begin(), tiers.back().suites.end());
      tiers.push_back({name, std::move(suites)});
    };
    extend("ci", {"readings", "limits", "regressions", "pairs", "violations", "laws"});
    extend("nightly", {"deployed", "triples"});
    return tiers;
  }();
  return list;
}

}  // namespace

std::span<const corpus::SuiteInfo> suites() {
  static const std::vector<corpus::SuiteInfo> list = [] {
    std::vector<corpus::SuiteInfo> all(corpus::suites().begin(), corpus::suites().end());
    std::ranges::transform(made, std::back_inserter(all), &Entry::info);
    return all;
  }();
  return list;
}

bool is_made_to_cover(std::string_view name) {
  const auto found = std::ranges::find(suites(), name, &corpus::SuiteInfo::name);
  return found != suites().end() && found->covers;
}

corpus::Suite load_suite(std::string_view name) {
  const auto found = std::ranges::find(made, name, [](const Entry& entry) { return entry.info.name; });
  if (found == made.end()) return corpus::load_suite(name);
  return {.name = std::string(found->info.name),
          .what = std::string(found->info.what),
          .cases = found->make(),
          .further = found->further};
}

std::span<const TierInfo> tiers() {
  return tier_list();
}

std::vector<std::string> expand_suite_argument(std::string_view name) {
  const auto tier = std::ranges::find(tiers(), name, &TierInfo::name);
  if (tier != tiers().end()) return {tier->suites.begin(), tier->suites.end()};
  const auto suite = std::ranges::find(suites(), name, &corpus::SuiteInfo::name);
  if (suite != suites().end()) return {std::string(name)};
  std::vector<std::string_view> known;
  std::ranges::transform(tiers(), std::back_inserter(known), &TierInfo::name);
  std::ranges::transform(suites(), std::back_inserter(known), &corpus::SuiteInfo::name);
  throw std::invalid_argument(fmt::format("no suite or tier '{}', {}", name, expected_one_of(name, known)));
}

}  // namespace cellproof::fuzz
