#pragma once

#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::corpus::catalogue {

/// A case that breaks one rule: the rule's id (spec/expectation.hpp), and which of several ways of breaking it this is.
struct Breach {
  std::string rule;
  std::string way;
  Case c;
};

/// Each appends the breaches of its kind for one operator version. Rules that are the same in all versions of an
/// operator are broken in its newest one only.
void break_attributes(OperatorVersion version, std::vector<Breach>& breaches);
void break_arguments(OperatorVersion version, std::vector<Breach>& breaches);
void break_shapes(OperatorVersion version, std::vector<Breach>& breaches);

}  // namespace cellproof::corpus::catalogue
