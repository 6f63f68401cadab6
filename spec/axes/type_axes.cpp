#include <algorithm>

#include "spec/axes/groups.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

/// The allowed types of a constraint, `first` in front.
std::vector<std::string> allowed_types(OperatorVersion version, std::string_view constraint, ElementType first) {
  std::vector<std::string> names;
  const TypeConstraint* row = rules_of(version).type(constraint);
  if (row == nullptr) return names;
  names.emplace_back(onnx_name(first));
  for (const ElementType type : row->allowed) {
    if (type != first) names.emplace_back(onnx_name(type));
  }
  return names;
}

/// The type's name if the version has it, else the default's.
std::string nearest(const std::vector<std::string>& names, ElementType type) {
  const auto found = std::ranges::find(names, onnx_name(type));
  return found == names.end() ? names.front() : *found;
}

}  // namespace

std::vector<Axis> type_axes() {
  const auto types = [](OperatorVersion version) { return allowed_types(version, "T", ElementType::Float); };
  const auto weight_types = [](OperatorVersion version) { return allowed_types(version, "T2", ElementType::UInt8); };
  return {
      make_axis(
          "type", "the element type T of X, weights, states and outputs", types,
          [=](const Case& c) { return nearest(types(c.version), c.type); },
          [](Case& c, std::string_view value) { c.type = element_type_named(value).value(); }),
      make_axis(
          "weight_type", "the element type T2 of quantised weights and zero points", weight_types,
          [=](const Case& c) { return nearest(weight_types(c.version), c.weight_type); },
          [](Case& c, std::string_view value) { c.weight_type = element_type_named(value).value(); }),
  };
}

}  // namespace cellproof::axes_detail
