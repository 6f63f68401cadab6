#include "spec/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "spec/axes/groups.hpp"

namespace cellproof {
namespace {

std::vector<Axis> all_axes() {
  std::vector<Axis> list;
  for (const auto group :
       {axes_detail::type_axes, axes_detail::attribute_axes, axes_detail::activation_axes, axes_detail::input_axes,
        axes_detail::lengths_axes, axes_detail::size_axes, axes_detail::output_axes}) {
    std::ranges::move(group(), std::back_inserter(list));
  }
  return list;
}

}  // namespace

std::span<const Axis> axes() {
  static const std::vector<Axis> list = all_axes();
  return list;
}

const Axis& axis(std::string_view name) {
  const auto found = std::ranges::find(axes(), name, &Axis::name);
  if (found == axes().end()) throw std::invalid_argument(fmt::format("there is no axis '{}'", name));
  return *found;
}

std::vector<std::pair<std::string, std::string>> axis_values(const Case& c) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Axis& row : axes()) {
    const std::vector<std::string> values = row.values(c.version);
    if (values.empty()) continue;
    std::string value = row.of(c);
    if (value != values.front()) list.emplace_back(row.name, std::move(value));
  }
  return list;
}

}  // namespace cellproof
