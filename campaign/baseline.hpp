#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/earlier_runs.hpp"
#include "reports/render.hpp"

namespace cellproof::campaign {

/// A signature that may be an old one, and why.
struct PossiblyKnown {
  std::vector<std::string> alike;  ///< the base's signatures that it may be
  bool flaky = false;  ///< its cases fail by chance in one of the two runs, and each time in the other; false: the base
                       ///< has not run them, and one of the two runs has too little to blame an axis value
};

/// Valid cases of an operator that an engine refuses now, and that the base ran without a fault.
struct NewlyRefused {
  std::string engine;
  std::string version;  ///< "LSTM-22"
  std::string message;
  std::string first;  ///< line of the first of them
  std::int64_t cases = 0;
};

/// Changes since a base store, by signature; each list sorted and without repetition.
struct BaselineComparison {
  std::vector<std::string> fresh;              ///< fail now, and did not
  std::map<std::string, std::string> reasons;  ///< of those: why, where the signature does not say it
  std::vector<std::string> known;              ///< fail now as they did
  std::map<std::string, PossiblyKnown> possibly_known;
  /// Failures of the base, of engines that are here: some of its cases pass now, and none fails alike.
  std::vector<std::string> gone;
  std::vector<std::string> unseen;   ///< the same, but they were flaky: it may be chance
  std::vector<std::string> refused;  ///< the same, but its cases are refused now instead of wrong
  std::vector<std::string> not_run;  ///< the same, but none of its cases was run
  std::vector<NewlyRefused> newly_refused;
  std::int64_t cases_not_run = 0;  ///< of those that the base has, on engines that are here
  std::int64_t cases_of_base = 0;
  std::vector<std::string> engines_not_run;  ///< of which the base has findings, and this run has none
};

/// Compares what fails, and marks in `data` as known what `base` has failed in already, so that it no longer fails the
/// run. A signature that the base does not have is known all the same where each of its cases failed in the base in the
/// same way: which axis values a run blames depends on what else it has run, so a run cut short may sign otherwise.
/// So is one whose cases the base has not run, for a cause that the base has: the same fault, contract or broken rule
/// explain it, or it says the same and has all axis values that the base's failure needs. A flaky
/// failure is known where the base has a flaky one of that signature or of that case. What is possibly known does not
/// fail the run either, and is named. A valid case that is refused, and that the base
/// ran without a fault, is marked in `data`, and fails the run. Where both name causes, a case whose causes the base
/// has is known, and one with a cause that the base does not have is known by its case alone (KnownCauses); the causes
/// themselves are compared in `data.changes`. `name`: of the base, for people. A finding without a signature (an error
/// of the harness) is never known.
BaselineComparison compare_with_baseline(const EarlierRuns& base, const std::string& name, reports::ReportData& data);

}  // namespace cellproof::campaign
