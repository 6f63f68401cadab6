#include "campaign/proved_readings.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "reports/fingerprint.hpp"

namespace cellproof::campaign {

ProvedReadings proved_readings(const std::vector<Finding>& findings, std::string_view engine) {
  ProvedReadings proved;
  for (const reports::FingerprintRow& row : reports::fingerprint_of(findings, engine)) {
    const ClauseInfo& clause = info(row.clause);
    if (row.decision != reports::Decision::Proved || clause.kind != ClauseKind::Value || row.unlisted > 0) continue;
    const std::string_view answer = answers(row.clause).at(row.answers.front());
    if (answer == "refuse" || std::ranges::find(clause.readings, answer, &ListedReading::id) == clause.readings.end())
      continue;
    for (const Operator op : row.operators) proved[op] = proved[op].with(row.clause, answer);
  }
  return proved;
}

ProvedReadings with_shown_readings(ProvedReadings proved, const std::vector<Finding>& findings) {
  std::map<std::pair<Operator, Clause>, std::set<std::string_view>> shown;
  for (const Finding& finding : findings) {
    if (finding.outcome != OutcomeKind::Ran || finding.judgement.verdict != Verdict::Reading) continue;
    for (const ReadingChoice& choice : finding.judgement.readings.choices())
      shown[{finding.version.op, choice.clause}].insert(choice.reading);
  }
  const Readings by_default;
  for (const auto& [where, readings] : shown) {
    Readings& known = proved[where.first];
    if (readings.size() == 1 && known.of(where.second) == by_default.of(where.second))
      known = known.with(where.second, *readings.begin());
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
