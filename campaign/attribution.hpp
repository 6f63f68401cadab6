#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/store.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

using AxisValues = std::vector<std::pair<std::string, std::string>>;

/// For each failing finding the axis values that the run's own data blame, in the findings' order; empty for passes,
/// and where nothing that the case sets is to blame (it fails at its defaults). Per engine and operator:
/// 1. a failing case inherits the smallest axis-value set of any failing case of the same kind that it contains: what
/// is
///    not needed to fail is not guilty;
/// 2. of that set, values with which every case that ran failed are guilty alone (the one with most failures first);
/// 3. otherwise values that passing cases share more often than failing ones are dropped, unless none would be left.
/// Deterministic, and a function of the set of findings only.
std::vector<AxisValues> guilty_axis_values(const std::vector<Finding>& findings);

/// The signature of every failing finding from its guilty axis values; "" for passes.
std::vector<std::string> signatures(const std::vector<Finding>& findings);

/// Writes them into the store.
void attribute_signatures(reports::Store& store);

}  // namespace cellproof::campaign
