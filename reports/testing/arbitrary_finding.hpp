#pragma once

#include <rapidcheck.h>

#include <string>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// Test support: findings with anything in every field, bytes that are no UTF-8 and doubles that are no numbers
/// included.
rc::Gen<Finding> arbitrary_finding();

/// The name of the first field in which they differ, "" when all are equal; a NaN equals a NaN, doubles else by their
/// bits.
std::string first_changed_field(const Finding& a, const Finding& b);

}  // namespace cellproof::reports
