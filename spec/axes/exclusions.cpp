#include "spec/axes/exclusions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "spec/axes.hpp"
#include "spec/axes/lengths_pattern.hpp"
#include "spec/rules/activation_values.hpp"

namespace cellproof {
namespace {

using Values = std::vector<std::string>;

bool is_slot(const Axis& row) {
  return row.name.starts_with("activation.");
}

Values without(Values values, std::string_view value) {
  std::erase(values, value);
  return values;
}

/// Every value but the default, which is the first.
Values all_but_default(const Values& values) {
  return {values.begin() + 1, values.end()};
}

void exclude_functions_of_no_direction(OperatorVersion version, std::vector<AxisExclusion>& list) {
  for (const Axis& row : axes()) {
    const Values values = row.values(version);
    if (values.empty() || !is_slot(row) || !row.name.ends_with(".backward")) continue;
    list.push_back({{{"direction", without(axis("direction").values(version), "bidirectional")},
                     {row.name, all_but_default(values)}},
                    "only a bidirectional case has functions of the backward direction"});
  }
}

void exclude_functions_beside_default_lists(OperatorVersion version, std::vector<AxisExclusion>& list) {
  for (const std::string& style : axis("activations").values(version)) {
    if (style != "written-out" && style != "two-names") continue;
    for (const Axis& row : axes()) {
      const Values values = row.values(version);
      if (values.empty() || !is_slot(row)) continue;
      list.push_back({{{"activations", {style}}, {row.name, all_but_default(values)}}, "the list is the default one"});
    }
    if (style == "two-names")
      list.push_back({{{"activations", {style}}, {"direction", {"bidirectional"}}}, "two names are two directions'"});
  }
}

void exclude_values_without_takers(OperatorVersion version, std::vector<AxisExclusion>& list) {
  for (const auto& [name, parameter] :
       {std::pair{"alpha", rules::Parameter::Alpha}, std::pair{"beta", rules::Parameter::Beta}}) {
    AxisExclusion exclusion{{{name, {"given", "short"}}}, "a list is for functions that take the parameter"};
    for (const Axis& row : axes()) {
      Values values = row.values(version);
      if (values.empty() || !is_slot(row)) continue;
      std::erase_if(values,
                    [&](const std::string& value) { return rules::takes(activation_exactly(value), parameter); });
      exclusion.choices.push_back({row.name, std::move(values)});
    }
    list.push_back(std::move(exclusion));
  }
}

/// By what axis lengths says of small sizes.
void exclude_lengths_without_room(OperatorVersion version, std::vector<AxisExclusion>& list) {
  for (const std::string& pattern : axis("lengths").values(version)) {
    for (const std::string_view size : {"T", "N"}) {
      const Values values = axis(size).values(version);
      Values too_small;
      for (const std::string_view value : {"0", "1"}) {
        Case c = plain_case(version, ElementType::Float, 3, 3, 2, 2);
        axes_detail::grow_for_pattern(c = axis(size).apply(c, value), pattern);
        if (axis(size).of(c) != value) too_small.emplace_back(value);
      }
      if (!too_small.empty())
        list.push_back({{{"lengths", {pattern}}, {size, std::move(too_small)}}, "too few to tell the pattern by"});
    }
  }
}

void exclude_lengths_that_are_not_there(OperatorVersion version, std::vector<AxisExclusion>& list) {
  list.push_back({{{"input.sequence_lens", {"initializer"}}, {"lengths", {"absent"}}}, "an initializer has values"});
  list.push_back({{{"input.sequence_lens", {"empty"}}, {"lengths", without(axis("lengths").values(version), "absent")}},
                  "the empty name has no values"});
}

void exclude_states_that_cannot_be_shared(OperatorVersion version, std::vector<AxisExclusion>& list) {
  if (!has_cell_state(version.op)) return;
  for (const std::string_view name : {"input.initial_h", "input.initial_c"})
    list.push_back({{{"states", {"shared"}}, {name, {"absent", "empty"}}}, "one tensor is for both states"});
  for (const auto& [h, c] : {std::pair{"initializer", "graph"}, std::pair{"graph", "initializer"}})
    list.push_back({{{"states", {"shared"}}, {"input.initial_h", {h}}, {"input.initial_c", {c}}},
                    "one tensor comes from one place"});
}

}  // namespace

std::vector<AxisExclusion> axis_exclusions(OperatorVersion version) {
  std::vector<AxisExclusion> list;
  for (const auto exclude :
       {exclude_functions_of_no_direction, exclude_functions_beside_default_lists, exclude_values_without_takers,
        exclude_lengths_without_room, exclude_lengths_that_are_not_there, exclude_states_that_cannot_be_shared}) {
    exclude(version, list);
  }
  return list;
}

}  // namespace cellproof
