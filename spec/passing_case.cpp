#include "spec/passing_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/resized.hpp"

namespace cellproof {
namespace {

bool is_a_size(const AxisValue& value) {
  return std::ranges::find(size_names, value.first) != size_names.end();
}

}  // namespace

PassingCase passing_beside(const Case& failing, const Case& passing) {
  PassingCase beside{to_text(passing), {}};
  for (const Axis& each : axes()) {
    std::string value = each.of(passing);
    if (value != each.of(failing)) beside.with.emplace_back(each.name, std::move(value));
  }
  std::ranges::stable_partition(beside.with, [](const AxisValue& value) { return !is_a_size(value); });
  return beside;
}

std::string difference_text(const PassingCase& passing) {
  if (passing.with.empty()) return "with other values";
  const bool only_sizes = is_a_size(passing.with.front());
  std::string text;
  for (const AxisValue& value : passing.with) {
    if (is_a_size(value) && !only_sizes) return fmt::format("with {}, and other sizes", text);
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", value.first, value.second);
  }
  return "with " + text;
}

}  // namespace cellproof
