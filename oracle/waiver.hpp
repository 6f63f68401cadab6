#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oracle/version_range.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::oracle {

/// A divergence that somebody has decided to accept for a while. docs/waivers.md shows the file.
struct Waiver {
  std::string signature;                ///< of the findings that it accepts, as the report prints it; or "", and
  std::string engine, cause;            ///< the id of a cause of this engine, all whose cases it accepts
  std::string case_line;                ///< one case that diverges so: when it passes, the waiver has had its day
  VersionRange versions{"*"};           ///< of the engine
  std::string url;                      ///< where the decision, or the bug, is on record
  std::chrono::year_month_day expires;  ///< the last day on which it holds
  std::string why;
  bool flaky = false;  ///< the failure comes by chance: the run is green with it and without it
};

/// "2027-01-31"
std::string date_text(std::chrono::year_month_day date);

/// Reads {"waivers": [{"signature", "case", "versions", "url", "expires", "why"}, ...]}, and
/// `"flaky": true` where that is so. "cause" and "engine" may stand for "signature" and "case". Throws
/// std::invalid_argument with one line that names the file, the entry, the key and what was expected.
std::vector<Waiver> read_waivers(const std::filesystem::path& file);

/// Effect of a list of waivers on a run.
struct WaiverResult {
  std::map<std::string, const Waiver*> accepted;  ///< signature -> the waiver that holds for it
  /// Engine and case line -> the flaky waiver that holds for them, under whatever signature the case fails this time.
  std::map<std::pair<std::string, std::string>, const Waiver*> accepted_cases;
  /// Engine and id of a cause -> the waiver that holds for it. A case is accepted where all its causes are.
  std::map<std::pair<std::string, std::string>, const Waiver*> accepted_causes;
  std::vector<std::string> complaints;  ///< each fails the run
};

/// Strict: an expired waiver accepts nothing and is a complaint; so is one whose case now passes, and, in a `complete`
/// run (not a shard, not cut short), one whose signature no failing finding has. A flaky waiver is a complaint only
/// when it has expired: it accepts its signature and its case, however it fails, and asks for neither. Waivers for
/// engines, or for versions of them, that are not among the findings do not count. `causes`: of the run, by engine; a
/// waiver of a cause holds for nothing where an engine that fails has none.
WaiverResult apply_waivers(const std::vector<Waiver>& waivers, const std::vector<Finding>& findings,
                           const std::map<std::string, std::vector<Cause>>& causes, std::chrono::year_month_day today,
                           bool complete);

}  // namespace cellproof::oracle
