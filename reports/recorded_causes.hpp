#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/render.hpp"
#include "spec/cause.hpp"

namespace cellproof::reports {

/// The causes that the stores hold, by engine. Those of several stores with one id are one.
std::map<std::string, std::vector<Cause>> recorded_causes(const ReportData& data);

/// Which causes each case takes part in.
class CausesOfCases {
 public:
  explicit CausesOfCases(const ReportData& data);

  /// Ids. Where no store says: of a finding with a reading one for each, of any other {""}.
  std::vector<std::string> of(const Finding& finding) const;

  /// Does the finding show the cause in the case that stands for it?
  bool is_shown_by(const std::string& id, const Finding& finding) const;

 private:
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<std::string>> ids_;
  std::map<std::pair<std::string, std::string>, std::string> lines_;  ///< of their cases, by engine and id
};

}  // namespace cellproof::reports
