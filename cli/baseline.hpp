#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::cli {

/// What has changed since a base store, by signature; each list sorted and without repetition.
struct BaselineComparison {
  std::vector<std::string> fresh;  ///< fail now, and did not
  std::vector<std::string> known;  ///< fail now as they did
  /// May be what the base failed in, and may be new: the base has not run these cases, but fails alike on others, and
  /// one of the two runs has too little to blame an axis value. With the base's signatures of that kind.
  std::map<std::string, std::vector<std::string>> possibly_known;
  std::vector<std::string> gone;  ///< of engines that are here, and no longer fail
};

/// Compares what fails, and marks in `data` as known what `base` has failed in already, so that it no longer fails the
/// run. A signature that the base does not have is known all the same where each of its cases failed in the base in the
/// same way: which axis values a run blames depends on what else it has run, so a run cut short may sign otherwise.
/// What is possibly known does not fail the run either, and is named. `name`: of the base store, for people. A finding
/// without a signature (an error of the harness) is never known.
BaselineComparison compare_with_baseline(const std::vector<Finding>& base, const std::string& name,
                                         reports::ReportData& data);

/// A line with the counts, and one for each signature that is new, possibly known or gone.
std::string to_text(const BaselineComparison& comparison, const std::string& name);

}  // namespace cellproof::cli
