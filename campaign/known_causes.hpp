#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/base_runs.hpp"
#include "campaign/earlier_runs.hpp"
#include "reports/recorded_causes.hpp"
#include "reports/render.hpp"

namespace cellproof::campaign {

/// The causes of a run beside those of earlier runs. A cause with a name (a fault, a contract, a reading) is known by
/// its id, for the operators that it had. A cluster of what nothing explains is known by its cases alone. Engines of
/// which one of the two names no cause, and that fail, are left out.
class KnownCauses {
 public:
  /// All must outlive it.
  KnownCauses(const EarlierRuns& base, const BaseRuns& knowledge, const reports::ReportData& now);

  /// Is each cause of the failing case one that the base has?
  bool explain(const Finding& finding) const;

  /// Has the failing case a cause with a name that the base does not have?
  bool have_a_new_one(const Finding& finding) const;

  /// `base`: its name for people.
  reports::CauseChanges changes(const std::string& base) const;

 private:
  using Key = std::pair<std::string, std::string>;  ///< engine and id

  std::vector<std::string> named(const Finding& finding) const;
  bool has_in_base(const std::string& id, const Finding& finding) const;
  bool is_new(const std::string& id, const Finding& finding) const;
  void note_what_is_gone(const std::string& engine, reports::CauseChanges& changes) const;

  const EarlierRuns& base_;
  const BaseRuns& knowledge_;
  const reports::ReportData& now_;
  std::map<std::string, std::vector<Cause>> causes_;  ///< of this run, of engines that are compared
  std::set<std::string> compared_;
  std::vector<std::string> uncompared_;
  std::set<Key> with_a_name_;
  std::map<Key, const Cause*> known_;
  reports::CausesOfCases of_cases_;
};

}  // namespace cellproof::campaign
