#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::cli {

using Signatures = std::set<std::string>;

/// How sure it is that a failure is an old one, the surest first; a signature is as sure as the least sure of its
/// findings.
enum class Standing {
  Known,     ///< its case failed so before
  Unsteady,  ///< may be old: what the case is answered differed between two calls
  NotRun,    ///< may be old: the case was not run before, and others fail alike
  New
};

/// What the cases of a run have become, as far as another run is compared with it.
struct CaseRecord {
  std::set<std::string> ways;  ///< in which it failed; none: it did not
  bool ran_wrong = false;      ///< failed with an answer, not by a crash or a hang
  bool unsteady = false;       ///< two identical calls were answered differently
  bool ran_well = false;       ///< passed, judged by its answer
  bool passed = false;         ///< passed with a verdict
  bool refused = false;        ///< valid, and refused: a gap
};

using CaseId = std::tuple<std::string, std::string, std::string>;  ///< engine, law, case line
CaseId case_of(const Finding& finding);

bool is_failure(const Finding& finding);

/// All of a failure but the axes. Which of several possible faults is the likeliest, and so stands in the signature, is
/// a matter of the run's other cases: here they all stand, in the order of their names.
std::string way_of(const Finding& finding);

std::map<CaseId, CaseRecord> records_by_case(const std::vector<Finding>& findings);

/// What earlier runs say of a failure.
class BaseRuns {
 public:
  /// `findings`: of one earlier run, or of several, of which each one's word counts. Engines of no concern are left
  /// out.
  BaseRuns(const std::vector<Finding>& findings, const std::set<std::string>& engines);

  /// Signatures that fail.
  const Signatures& failing() const { return failing_; }

  /// Was the case run before, and failed in no way?
  bool has_passed(const Finding& finding) const;

  /// By what its case was before, whatever its signature is.
  Standing standing_of(const Finding& finding) const;

  /// The signatures that make a failure possibly an old one.
  Signatures alike_to(const Finding& finding) const;

  /// Null for a case that was not run.
  const CaseRecord* record_of(const Finding& finding) const;

 private:
  /// A signature with findings that differ between two calls, and the axis values that it blames.
  struct UnsteadySignature {
    std::string signature, engine;
    Operator op;
    std::set<std::pair<std::string, std::string>> blamed;
  };

  Signatures unsteady_alike(const Finding& finding) const;
  Signatures axes_alike(const std::string& signature) const;

  std::map<CaseId, CaseRecord> cases_;
  std::map<CaseId, Signatures> signatures_of_;
  std::vector<UnsteadySignature> unsteady_;
  std::map<std::string, Signatures> alike_but_for_axes_;
  Signatures failing_;
};

}  // namespace cellproof::cli
