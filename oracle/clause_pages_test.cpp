#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "oracle/honest_outputs.hpp"
#include "spec/case_text.hpp"
#include "spec/evidence.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {
namespace {

namespace fs = std::filesystem;

/// The drafts of docs/clauses/: the readings that their tables list, and their smallest cases, by clause.
struct ClausePages {
  std::map<std::string, std::vector<std::string>> readings, cases;
};

/// The text between the first two backticks from there on.
std::string quoted_from(const std::string& line, std::size_t from) {
  const std::size_t begin = line.find('`', from);
  return begin == std::string::npos ? "" : line.substr(begin + 1, line.find('`', begin + 1) - begin - 1);
}

void take_line(const std::string& line, const std::string& heading, std::string& clause, ClausePages& pages) {
  if (heading == "## Readings" && line.starts_with("| `")) {
    pages.readings[quoted_from(line, 0)].push_back(quoted_from(line, line.find('|', 1)));
  }
  if (heading != "## Smallest cases") return;
  if (line.starts_with('`')) clause = quoted_from(line, 0);
  if (line.starts_with("    ")) pages.cases[clause].push_back(line.substr(4));
}

ClausePages clause_pages() {
  ClausePages pages;
  for (const auto& entry : fs::directory_iterator(fs::path(CELLPROOF_SOURCE_DIR) / "docs/clauses")) {
    std::ifstream file(entry.path());
    std::string heading, clause;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("## ")) heading = line;
      take_line(line, heading, clause, pages);
    }
  }
  return pages;
}

bool may_be_same(const HonestElement& a, const HonestElement& b) {
  return (a.may_be_nan && b.may_be_nan) || std::max(a.lo, b.lo) <= std::min(a.hi, b.hi);
}

/// May one engine's outputs be right under both?
bool may_be_same(const HonestOutputs& a, const HonestOutputs& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!a[k]) continue;
    if (a[k]->shape != b[k]->shape) return false;
    for (std::size_t i = 0; i < a[k]->elements.size(); ++i) {
      if (!may_be_same(a[k]->elements[i], b[k]->elements[i])) return false;
    }
  }
  return true;
}

/// Does some way of `a` give what no way of `b` does?
bool has_way_apart(const std::vector<HonestOutputs>& a, const std::vector<HonestOutputs>& b) {
  return std::ranges::any_of(a, [&](const HonestOutputs& one) {
    return std::ranges::none_of(b, [&](const HonestOutputs& other) { return may_be_same(one, other); });
  });
}

bool is_open(const ClauseInfo& clause) {
  return clause.kind == ClauseKind::Value || clause.kind == ClauseKind::Acceptance;
}

TEST(ClausePages, AreAtMostTenDraftsOfAllOpenClauses) {
  const fs::path folder = fs::path(CELLPROOF_SOURCE_DIR) / "docs/clauses";
  const auto count = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  EXPECT_LE(count - 1, 10) << "README.md is none";
  const ClausePages pages = clause_pages();
  for (const ClauseInfo& clause : clauses()) {
    if (!is_open(clause) || clause.clause == Clause::InputForgetWeights) continue;
    const std::string id(clause.id);
    ASSERT_TRUE(pages.readings.contains(id)) << id;
    EXPECT_EQ(pages.cases.contains(id) ? pages.cases.at(id).size() : 0, 1U) << id;
    const auto ids = reading_ids(clause);
    std::vector<std::string> listed(ids.begin(), ids.end());
    if (clause.clause == Clause::DqFinishedRows) std::erase(listed, "zero");
    EXPECT_EQ(pages.readings.at(id), listed) << id;
  }
  for (const auto& [id, readings] : pages.readings)
    EXPECT_TRUE(clause_named(id) && is_open(info(*clause_named(id)))) << id;
}

TEST(ClausePages, HaveCasesThatTellTheReadingsApart) {
  const ClausePages pages = clause_pages();
  for (const auto& [id, lines] : pages.cases) {
    const Clause clause = *clause_named(id);
    const Problem problem = make_problem(parse_case(lines.front()));
    EXPECT_THAT(clauses_touched(problem), ::testing::Contains(clause)) << id;
    std::vector<std::pair<std::string, std::vector<HonestOutputs>>> ways;
    for (const std::string& reading : pages.readings.at(id)) {
      // Refusing is told apart by being no result.
      if (reading != "refuse") ways.emplace_back(reading, honest_outputs(problem, Readings{}.with(clause, reading)));
    }
    for (std::size_t a = 0; a < ways.size(); ++a) {
      for (std::size_t b = a + 1; b < ways.size(); ++b) {
        EXPECT_TRUE(has_way_apart(ways[a].second, ways[b].second) || has_way_apart(ways[b].second, ways[a].second))
            << id << ": " << ways[a].first << " and " << ways[b].first;
      }
    }
  }
}

TEST(ClausePages, ListRefusalsWhereTheSpecificationLeavesThemOpen) {
  for (const auto& [id, readings] : clause_pages().readings) {
    const ClauseInfo& clause = info(*clause_named(id));
    const bool may_refuse = clause.refusable || clause.kind == ClauseKind::Acceptance;
    EXPECT_TRUE(may_refuse || std::ranges::count(readings, "refuse") == 0) << id;
  }
}

}  // namespace
}  // namespace cellproof::oracle
