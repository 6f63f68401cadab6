#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/store.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// For each failing finding the axis values that the run's own data blame, in the findings' order; empty for passes,
/// and where nothing that the case sets is to blame (it fails at its defaults). Flaky findings blame nothing, and are
/// no evidence either way: in the next run they may have another outcome. Per engine and operator:
/// 1. a failing case inherits the smallest axis-value set of any case that fails in the same way and that it contains:
///    what is not needed to fail is not guilty;
/// 2. a family of axes (activation.f, activation.g, ...) whose cases nearly all fail, whatever the value, is guilty as
///    (family, "any");
/// 3. a value that can be left out with still no case faring well that has all the others is not guilty;
/// 4. where even the whole set fares well elsewhere, what fails no more often than cases do on average is left out;
/// 5. where there is nothing to compare with, what cases happen to share is not guilty: unattributed() is said instead.
///    There is, if ten cases of the operator fared well, or one that differs in at most three axes.
/// Deterministic, and a function of the set of findings only.
std::vector<AxisValues> guilty_axis_values(const std::vector<Finding>& findings);

/// Several faults may explain one case. In each finding, those that explain most of the engine's findings come first:
/// what an engine does wrong, it does wrong in many cases. Returns the numbers of the findings that this changed,
/// ascending.
std::vector<std::size_t> put_likeliest_faults_first(std::vector<Finding>& findings);

/// The signature of every failing finding from its guilty axis values; "" for passes.
std::vector<std::string> signatures(const std::vector<Finding>& findings);

/// Gives all findings of a store their signatures, there and here.
void attribute_signatures(std::vector<Finding>& findings, reports::Store& store);

}  // namespace cellproof::campaign
