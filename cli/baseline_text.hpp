#pragma once

#include <string>
#include <utility>
#include <vector>

#include "campaign/baseline.hpp"
#include "spec/run_metadata.hpp"

namespace cellproof::cli {

/// In what the run of a base store was another than this one, a line for people; "" where findings of both compare.
std::string difference_from_base(const RunMetadata& base, const std::string& name, const RunMetadata& now);

/// A line with the counts, and one for each signature that is new or no longer there, and for what was not run.
std::string to_text(const campaign::BaselineComparison& comparison, const std::string& name);

/// Stores of earlier runs, in memory: a run may set one of them aside and begin it anew.
class Baselines {
 public:
  /// Reads them. Throws StoreError.
  explicit Baselines(const std::vector<std::string>& stores);

  /// Marks in `data` what the stores fail in already, and returns what has changed since, "" where there is none. Says
  /// on stderr what makes findings of both hard to compare. `now`: of the run that `data` is of.
  std::string compare_with(const RunMetadata& now, reports::ReportData& data) const;

 private:
  std::vector<std::pair<std::string, RunMetadata>> runs_;  ///< by file
  campaign::EarlierRuns earlier_;
  std::vector<std::string> damage_;
};

}  // namespace cellproof::cli
