#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "fuzz/case_axes.hpp"
#include "spec/coverage.hpp"
#include "spec/finding.hpp"

namespace cellproof::fuzz {

/// The values that the cases of findings had, one for each factor of their operator's space.
class FindingRows {
 public:
  /// `space` must outlive it.
  explicit FindingRows(const CaseSpace& space) : space_(space) {}

  /// The result holds until the next call.
  const Row& of(const Finding& finding);

 private:
  const CaseSpace& space_;
  std::map<OperatorVersion, Row> plain_;  ///< of cases with every default: most axes of a case have theirs
  Row row_;
};

/// Counts what the findings, of any suites, cover: a record for each engine and operator of which there is a finding of
/// a valid case, in the order in which they come.
std::vector<Coverage> coverage_of(std::span<const Finding> findings);

/// Does the same where a suite that is made to cover is among them, else nothing: it takes a while to count.
std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings);

}  // namespace cellproof::fuzz
