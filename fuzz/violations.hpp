#pragma once

#include <string>
#include <vector>

#include "fuzz/case_axes.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// A case that breaks exactly one rule and has a valid twin, which an engine may refuse only where the rule cannot be
/// broken otherwise.
struct ViolatingCase {
  std::string rule;  ///< as in spec/expectation.hpp
  std::string way;   ///< which of several ways of breaking it
  Case c;
  Row row;  ///< the values that it has, so far as it has any that are its own
};

/// Cases in which each rule of the operator is broken beside each axis value beside which it can be broken alone: an
/// array of strength two over the rules and the axes, of which only pairs with a rule count. `rows`: a covering array
/// of the space, from which the cases are made.
std::vector<ViolatingCase> violating_cases(const CaseSpace& space, const std::vector<Row>& rows);

}  // namespace cellproof::fuzz
