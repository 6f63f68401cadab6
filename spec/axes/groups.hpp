#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/axes.hpp"

namespace cellproof::axes_detail {

/// Changes a case to a value that it does not have; the value is one of the axis's.
using Change = std::function<void(Case&, std::string_view)>;

/// An axis whose apply() checks the value, leaves a case alone that has it already, and settles the rest afterwards.
Axis make_axis(std::string_view name, std::string_view what,
               const std::function<std::vector<std::string>(OperatorVersion)>& values,
               const std::function<std::string(const Case&)>& of, const Change& change);

/// The axes of the tensor types, one file each for the groups that follow.
std::vector<Axis> type_axes();
std::vector<Axis> attribute_axes();
std::vector<Axis> activation_axes();
std::vector<Axis> input_axes();
std::vector<Axis> lengths_axes();
std::vector<Axis> size_axes();
std::vector<Axis> output_axes();
std::vector<Axis> presentation_axes();

}  // namespace cellproof::axes_detail
