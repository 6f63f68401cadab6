#include "spec/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "spec/axes/groups.hpp"

namespace cellproof {
namespace {

std::vector<Axis> all_axes() {
  std::vector<Axis> list;
  for (const auto group :
       {axes_detail::type_axes, axes_detail::attribute_axes, axes_detail::activation_axes, axes_detail::input_axes,
        axes_detail::lengths_axes, axes_detail::size_axes, axes_detail::output_axes, axes_detail::presentation_axes}) {
    std::ranges::move(group(), std::back_inserter(list));
  }
  return list;
}

/// Default of each axis for the version, in the order of axes(), or nothing where the version does not have it.
using Defaults = std::vector<std::optional<std::string>>;

/// Made once for all versions: what an axis lists takes longer than what a case has on it.
const Defaults& defaults_of(OperatorVersion version) {
  static const std::vector<std::pair<OperatorVersion, Defaults>> all = [] {
    std::vector<std::pair<OperatorVersion, Defaults>> table;
    for (const OperatorVersion each : all_operator_versions()) {
      Defaults& defaults = table.emplace_back(each, Defaults{}).second;
      for (const Axis& row : axes()) {
        std::vector<std::string> values = row.values(each);
        defaults.push_back(values.empty() ? std::nullopt : std::optional(std::move(values.front())));
      }
    }
    return table;
  }();
  const auto found = std::ranges::find(all, version, &std::pair<OperatorVersion, Defaults>::first);
  if (found == all.end())
    throw std::invalid_argument(fmt::format("there is no operator version {}", to_string(version)));
  return found->second;
}

}  // namespace

std::span<const Axis> axes() {
  static const std::vector<Axis> list = all_axes();
  return list;
}

std::span<const Axis> axes_of_meaning() {
  return axes().first(axes().size() - axes_of_presentation().size());
}

std::span<const Axis> axes_of_presentation() {
  static const std::size_t count = axes_detail::presentation_axes().size();
  return axes().last(count);
}

const Axis& axis(std::string_view name) {
  const auto found = std::ranges::find(axes(), name, &Axis::name);
  if (found == axes().end()) throw std::invalid_argument(fmt::format("there is no axis '{}'", name));
  return *found;
}

AxisValues axis_values(const Case& c) {
  AxisValues list;
  const Defaults& defaults = defaults_of(c.version);
  for (std::size_t k = 0; k < defaults.size(); ++k) {
    if (!defaults[k]) continue;
    const Axis& row = axes()[k];
    std::string value = row.of(c);
    if (value != *defaults[k]) list.emplace_back(row.name, std::move(value));
  }
  return list;
}

}  // namespace cellproof
