#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/cause.hpp"

namespace cellproof::reports {

/// Standing of a cause against earlier runs.
enum class Since { New, Known, Fixed };
/// "new", "known", "fixed"
std::string_view name(Since since);

struct CauseChange {
  Since since = Since::New;
  std::int64_t before = 0;  ///< its cases in the base
};

/// Changes of what an engine does otherwise, against what it did in a base of earlier runs, cause by cause.
struct CauseChanges {
  std::string base;                                                     ///< the stores; "" where nothing was compared
  std::map<std::string, std::string> versions = {};                     ///< by engine: that of the base
  std::map<std::pair<std::string, std::string>, CauseChange> now = {};  ///< by engine and id
  /// With their engine: causes of the base that this run has no more though it has run cases of theirs, ...
  std::vector<std::pair<std::string, Cause>> fixed = {};
  std::vector<std::pair<std::string, Cause>> not_run = {};  ///< ... and those of which it has run none
  /// Engines that fail and of which one of the two names no causes: their cases are compared one by one.
  std::vector<std::string> uncompared = {};

  /// Null where the cause was not compared.
  const CauseChange* of(const std::string& engine, const std::string& id) const;
};

struct ReportData;

/// "causes against base.sqlite: 1 new, 3 known, 1 fixed", and a line for each that is new or fixed; "" where nothing
/// was compared.
std::string changes_text(const ReportData& data);

}  // namespace cellproof::reports
