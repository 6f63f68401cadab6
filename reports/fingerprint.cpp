#include "reports/fingerprint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "spec/evidence.hpp"
#include "spec/name_table.hpp"

namespace cellproof::reports {
namespace {

constexpr NameTable<7> decision_names = {"proved", "narrowed",   "mixed",      "unlisted",
                                         "silent", "not-tested", "not-outside"};

struct Piece {
  const Evidence* evidence;
  const std::string* case_line;
  OutcomeKind outcome;
};

bool tells_something(const Evidence& evidence) {
  return !evidence.fits.empty() || !evidence.excludes.empty();
}

/// The answers of the clause for which `wanted` holds, in the clause's order.
std::vector<Answer> answers_where(Clause clause, auto wanted) {
  std::vector<Answer> list;
  for (Answer answer = 0; answer < answers(clause).size(); ++answer)
    if (wanted(answer)) list.push_back(answer);
  return list;
}

void note_example(FingerprintRow& row, const std::vector<Piece>& pieces, auto shows) {
  for (const Piece& piece : pieces) {
    if (!shows(*piece.evidence)) continue;
    if (row.example.empty() || piece.case_line->size() < row.example.size()) row.example = *piece.case_line;
  }
}

/// Row for a clause: what an operator's cases say of it, taken together.
FingerprintRow decided(Clause clause, Operator op, const std::vector<Piece>& pieces) {
  FingerprintRow row;
  row.clause = clause;
  row.operators = {op};
  const auto proves = [](const Evidence& evidence) { return evidence.fits.size() == 1; };
  std::vector<Answer> proved;
  for (const Piece& piece : pieces) {
    row.cases += tells_something(*piece.evidence);
    row.unlisted += tells_something(*piece.evidence) && piece.evidence->fits.empty();
    if (proves(*piece.evidence)) proved.push_back(piece.evidence->fits.front());
  }
  const auto is_proved = [&](Answer answer) { return std::ranges::find(proved, answer) != proved.end(); };
  row.answers = answers_where(clause, is_proved);
  if (!row.answers.empty()) {
    row.decision = row.answers.size() == 1 ? Decision::Proved : Decision::Mixed;
    note_example(row, pieces, proves);
  } else if (row.cases == 0) {
    row.decision = Decision::Silent;
    row.refused = std::ranges::all_of(pieces, [](const Piece& piece) {
      return piece.outcome == OutcomeKind::Rejected || piece.outcome == OutcomeKind::NotSupported;
    });
    note_example(row, pieces, [](const Evidence&) { return true; });
  } else {
    row.decision = row.unlisted == row.cases ? Decision::Unlisted : Decision::Narrowed;
    row.answers = answers_where(clause, [&](Answer answer) {
      return row.decision == Decision::Narrowed && std::ranges::all_of(pieces, [&](const Piece& piece) {
               const std::vector<Answer>& fits = piece.evidence->fits;
               return fits.empty() || std::ranges::find(fits, answer) != fits.end();
             });
    });
    note_example(row, pieces, tells_something);
  }
  return row;
}

bool say_the_same(const FingerprintRow& a, const FingerprintRow& b) {
  return a.decision == b.decision && a.answers == b.answers && a.refused == b.refused &&
         (a.unlisted == 0) == (b.unlisted == 0);
}

void merge(FingerprintRow& row, const FingerprintRow& other) {
  row.operators.push_back(other.operators.front());
  row.cases += other.cases;
  row.unlisted += other.unlisted;
  if (other.example.size() < row.example.size()) row.example = other.example;
}

}  // namespace

std::string_view name(Decision decision) {
  return decision_names.at(static_cast<std::size_t>(decision));
}

bool has_fingerprint(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return !finding.evidence.empty(); });
}

std::vector<FingerprintRow> fingerprint_of(const std::vector<Finding>& findings, std::string_view engine) {
  std::map<Clause, std::map<Operator, std::vector<Piece>>> pieces;
  for (const Finding& finding : findings) {
    if (finding.engine != engine) continue;
    for (const Evidence& evidence : finding.evidence)
      pieces[evidence.clause][finding.version.op].push_back({&evidence, &finding.case_line, finding.outcome});
  }
  std::vector<FingerprintRow> rows;
  for (const ClauseInfo& clause : clauses()) {
    const std::size_t first = rows.size();
    for (const auto& [op, list] : pieces[clause.clause]) {
      const FingerprintRow row = decided(clause.clause, op, list);
      const auto known = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                                      [&](const FingerprintRow& other) { return say_the_same(other, row); });
      if (known == rows.end())
        rows.push_back(row);
      else
        merge(*known, row);
    }
    if (rows.size() > first) continue;
    FingerprintRow row;
    row.clause = clause.clause;
    row.decision = answers(clause.clause).empty() ? Decision::NotOutside : Decision::NotTested;
    rows.push_back(row);
  }
  return rows;
}

std::string words_of(const FingerprintRow& row) {
  const std::string also = row.unlisted > 0 ? fmt::format(", and in {} of {} cases none", row.unlisted, row.cases) : "";
  const std::vector<std::string_view> answers = names(row.clause, row.answers);
  switch (row.decision) {
    case Decision::Proved:
      return std::string(answers.front()) + also;
    case Decision::Narrowed:
      return fmt::format("{}{}", fmt::join(answers, " or "), also);
    case Decision::Mixed:
      return fmt::format("{} by case{}", fmt::join(answers, " and "), also);
    case Decision::Unlisted:
      return "no listed answer";
    case Decision::Silent:
      return row.refused ? "not decidable: runs no such case" : "no result";
    case Decision::NotTested:
      return "not tested";
    case Decision::NotOutside:
      return "not visible from outside";
  }
  return "";
}

bool is_remarkable(const FingerprintRow& row) {
  switch (row.decision) {
    case Decision::Silent:
    case Decision::NotTested:
    case Decision::NotOutside:
      return false;
    case Decision::Proved:
      return row.unlisted > 0 || row.answers.front() != 0;
    default:
      return true;
  }
}

}  // namespace cellproof::reports
