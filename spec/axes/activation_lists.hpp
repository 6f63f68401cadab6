#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/rules/activation_values.hpp"

namespace cellproof::axes_detail {

bool is_bidirectional(const Case& c);

/// Number of functions that the case's direction needs.
std::size_t places(const Case& c);

/// The function in use at a place, forward's first; the default where none is written, nullptr for an unknown name.
const ActivationInfo* function_at(const Case& c, std::size_t place);

/// Those of all places.
std::vector<const ActivationInfo*> functions_of(const Case& c);

/// Names the way `activations` is written, its choice of functions apart: "default", "written-out" (the default
/// functions by name), "lower-case", "two-names" (the RNN's default list in one direction).
std::string list_style(const Case& c);

/// Puts the functions into the attribute in the given style; "default" leaves the attribute out where all are default.
void write_functions(Case& c, const std::vector<std::string_view>& names, std::string_view style);

/// Compares the list of values with what the functions take: "absent", "given", "short", "long".
std::string values_style(const Case& c, rules::Parameter parameter);

/// Writes a list of that style: distinct values that no function has by default. "given" and "short" become "absent"
/// where no function takes the parameter.
void write_values(Case& c, rules::Parameter parameter, std::string_view style);

}  // namespace cellproof::axes_detail
