#pragma once

#include <string>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::cli {

/// What has changed since a base store, by signature; each list sorted and without repetition.
struct BaselineComparison {
  std::vector<std::string> fresh;  ///< fail now, and did not
  std::vector<std::string> known;  ///< fail now as they did
  std::vector<std::string> gone;   ///< of engines that are here, and no longer fail
};

/// Compares what fails, and marks in `data` as known what `base` has failed in already, so that it no longer fails the
/// run. `name`: of the base store, for people. A finding without a signature (an error of the harness) is never known.
BaselineComparison compare_with_baseline(const std::vector<Finding>& base, const std::string& name,
                                         reports::ReportData& data);

/// A line with the counts, and one for each signature that is new or gone.
std::string to_text(const BaselineComparison& comparison, const std::string& name);

}  // namespace cellproof::cli
