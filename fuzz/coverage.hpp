#pragma once

#include <span>
#include <string>
#include <vector>

#include "fuzz/case_axes.hpp"
#include "spec/coverage.hpp"
#include "spec/finding.hpp"

namespace cellproof::fuzz {

/// The values that the case of a finding had, one for each factor of its operator's space.
Row row_of(const CaseSpace& space, const Finding& finding);

/// Counts what the findings, of any suites, cover: a record for each engine and operator of which there is a finding of
/// a valid case, in the order in which they come.
std::vector<Coverage> coverage_of(std::span<const Finding> findings);

/// Does the same where a suite that is made to cover is among them, else nothing: it takes a while to count.
std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings);

}  // namespace cellproof::fuzz
