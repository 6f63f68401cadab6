#include "oracle/reading_choices.hpp"

#include <algorithm>
#include <cstddef>

#include "spec/evidence.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::size_t most_combinations = 256;

void add_unless_there(std::vector<Readings>& list, const Readings& readings) {
  if (readings == Readings{} || std::ranges::find(list, readings) != list.end()) return;
  list.push_back(readings);
}

std::vector<Readings> combinations(const std::vector<const ClauseInfo*>& clauses) {
  std::vector<Readings> all{Readings{}};
  for (const ClauseInfo* clause : clauses) {
    const std::size_t before = all.size();
    for (const std::string_view value : other_values(*clause)) {
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause->clause, value));
    }
  }
  std::ranges::stable_sort(all, {}, [](const Readings& r) { return r.differences().size(); });
  return all;
}

}  // namespace

std::vector<std::string_view> other_values(const ClauseInfo& clause) {
  if (clause.readings.empty()) return {};
  std::vector<std::string_view> values = answers(clause.clause);
  std::erase_if(values, [&](std::string_view v) { return v == "refuse" || v == clause.readings.front().id; });
  return values;
}

std::vector<Clause> open_clauses(const Problem& problem) {
  std::vector<Clause> open = clauses_touched(problem);
  std::erase_if(open, [](Clause clause) {
    const ClauseInfo& row = info(clause);
    return row.kind != ClauseKind::Value || !row.executable || other_values(row).empty();
  });
  return open;
}

ReadingChoices reading_choices(const Problem& problem, const Readings& proved) {
  ReadingChoices choices;
  std::vector<const ClauseInfo*> open;
  std::size_t combined = 1;
  Readings proved_together;
  for (const Clause clause : clauses_touched(problem)) {
    const bool is_value = info(clause).kind == ClauseKind::Value && !other_values(info(clause)).empty();
    if (is_value && !info(clause).executable) choices.untried = {.clause = clause};
  }
  for (const Clause clause : open_clauses(problem)) {
    open.push_back(&info(clause));
    combined *= 1 + other_values(info(clause)).size();
    if (proved.of(clause) != "refuse") proved_together = proved_together.with(clause, proved.of(clause));
  }
  const auto add_single = [&](bool only_proved) {
    for (const ClauseInfo* row : open) {
      for (const std::string_view value : other_values(*row)) {
        if (!only_proved || proved.of(row->clause) == value) {
          add_unless_there(choices.candidates, Readings{}.with(row->clause, value));
        }
      }
    }
  };
  add_single(true);
  add_single(false);
  add_unless_there(choices.candidates, proved_together);
  if (combined <= most_combinations) {
    for (const Readings& readings : combinations(open)) add_unless_there(choices.candidates, readings);
  } else {
    // Proved readings stand, with one more of each other clause.
    for (const ClauseInfo* row : open) {
      for (const std::string_view value : other_values(*row))
        add_unless_there(choices.candidates, proved_together.with(row->clause, value));
    }
    if (!choices.untried) choices.untried = {.combinations = combined};
  }
  return choices;
}

}  // namespace cellproof::oracle
