#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "spec/finding.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {

using Signatures = std::set<std::string>;

/// Certainty that a failure is an old one, the surest first; a signature is as sure as the least sure of its
/// findings.
enum class Standing {
  Known,   ///< its case failed so before, or another for the same cause; or its signature or its case is flaky in both
  Flaky,   ///< may be old: in one of the two runs it came by chance, in the other each time
  NotRun,  ///< may be old: the case was not run before, and others fail alike
  New
};

/// Fate of the cases of a run, as far as another run is compared with it.
struct CaseRecord {
  std::set<std::string> ways;   ///< in which it failed; none: it did not
  std::set<std::string> kinds;  ///< of those failures, as they are called where they come by chance (event_of)
  bool flaky = false;           ///< one of them came by chance
  bool ran_well = false;        ///< passed, judged by its answer
  bool passed = false;          ///< passed with a verdict
  bool refused = false;         ///< valid, and refused: a gap
};

using CaseId = std::tuple<std::string, std::string, std::string>;  ///< engine, law, case line
CaseId case_of(const Finding& finding);

bool is_failure(const Finding& finding);

/// All of a failure but the axes. Which of several possible faults is the likeliest, and so stands in the signature, is
/// a matter of the run's other cases: here they all stand, in the order of their names.
std::string way_of(const Finding& finding);

/// Names what happened, by chance or each time: "CRASHED", "TIMED_OUT", ..., or "repeat" for an answer.
std::string event_of(const Finding& finding);

std::map<CaseId, CaseRecord> records_by_case(const std::vector<Finding>& findings);

/// Evidence of earlier runs on a failure.
class BaseRuns {
 public:
  /// `findings`: of one earlier run, or of several, of which each one's word counts. Engines of no concern are left
  /// out.
  BaseRuns(const std::vector<Finding>& findings, const std::set<std::string>& engines);

  /// Signatures that fail.
  const Signatures& failing() const { return failing_; }

  /// Was the case run before, and failed in no way?
  bool has_passed(const Finding& finding) const;

  /// Does its signature fail already? Not where its case passed; that says nothing against chance.
  bool knows_signature_of(const Finding& finding) const;

  /// By what its case was before, whatever its signature is.
  Standing standing_of(const Finding& finding) const;

  /// The signatures that make a failure possibly an old one.
  Signatures alike_to(const Finding& finding) const;

  /// Why a failure of that standing New is called so, as far as its signature does not say it; "" else.
  std::string why_new(const Finding& finding) const;

  /// Null for a case that was not run.
  const CaseRecord* record_of(const Finding& finding) const;

 private:
  bool has_cause_of(const Finding& finding) const;
  Signatures axes_alike(const std::string& signature) const;

  std::map<CaseId, CaseRecord> cases_;
  std::map<CaseId, Signatures> signatures_of_;
  std::set<std::tuple<std::string, Operator, std::string>> flaky_events_;  ///< by engine and operator
  std::map<Signature, Signatures> alike_but_for_axes_;
  std::map<std::pair<std::string, Operator>, std::vector<Finding>> failures_;  ///< by engine and operator
  Signatures failing_;
};

}  // namespace cellproof::campaign
