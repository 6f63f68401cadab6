#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/render.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Runs that another one is compared with: each one's word counts.
struct EarlierRuns {
  std::vector<Finding> findings = {};
  std::map<std::string, std::vector<Cause>> causes = {};  ///< by engine; those with one id are one

  /// Adds what a store holds.
  void add(reports::ReportData run);
};

}  // namespace cellproof::campaign
