#include "campaign/proved_readings.hpp"

#include <algorithm>

#include "reports/fingerprint.hpp"

namespace cellproof::campaign {

ProvedReadings proved_readings(const std::vector<Finding>& findings, std::string_view engine) {
  ProvedReadings proved;
  for (const reports::FingerprintRow& row : reports::fingerprint_of(findings, engine)) {
    const ClauseInfo& clause = info(row.clause);
    if (row.decision != reports::Decision::Proved || clause.kind != ClauseKind::Value || row.unlisted > 0) continue;
    const std::string_view answer = answers(row.clause).at(row.answers.front());
    if (answer == "refuse" || std::ranges::find(clause.readings, answer) == clause.readings.end()) continue;
    for (const Operator op : row.operators) proved[op] = proved[op].with(row.clause, answer);
  }
  return proved;
}

Readings that_bear_on(const Problem& problem, const Readings& proved) {
  Readings touched;
  for (const Clause clause : clauses_touched(problem)) {
    if (!info(clause).readings.empty()) touched = touched.with(clause, proved.of(clause));
  }
  return touched;
}

}  // namespace cellproof::campaign
