#include <algorithm>

#include "spec/axes/groups.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

using Values = std::vector<std::string>;

/// A subset of the outputs, as bits by position: "Y+Y_c", "none".
std::string subset_name(OperatorVersion version, unsigned subset) {
  std::string text;
  const auto names = output_names(version.op);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if ((subset >> i & 1U) != 0) text += (text.empty() ? "" : "+") + std::string(names[i]);
  }
  return text.empty() ? "none" : text;
}

unsigned required_subset(OperatorVersion version) {
  unsigned subset = 0;
  const auto& outputs = rules_of(version).outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].need == Need::Required) subset |= 1U << i;
  }
  return subset;
}

/// All outputs first, then fewer and fewer down to none; only subsets with every required output.
Values subset_names(OperatorVersion version) {
  const unsigned required = required_subset(version);
  Values values;
  for (unsigned subset = 1U << output_names(version.op).size(); subset-- > 0;) {
    if ((subset & required) == required) values.push_back(subset_name(version, subset));
  }
  return values;
}

std::string asked_for(const Case& c) {
  unsigned subset = required_subset(c.version);
  const std::size_t known = std::min(c.outputs.size(), output_names(c.version.op).size());
  for (std::size_t i = 0; i < known; ++i) {
    if (c.outputs[i] == Presence::Given) subset |= 1U << i;
  }
  return subset_name(c.version, subset);
}

void ask_for(Case& c, std::string_view value) {
  const std::size_t count = output_names(c.version.op).size();
  if (c.outputs.size() < count) c.outputs.resize(count, Presence::Absent);
  unsigned subset = 0;
  while (subset_name(c.version, subset) != value) ++subset;
  for (std::size_t i = 0; i < count; ++i) {
    if ((subset >> i & 1U) != 0) {
      c.outputs[i] = Presence::Given;
    } else if (c.outputs[i] == Presence::Given) {
      c.outputs[i] = Presence::Absent;
    }
  }
}

Values regime_names(OperatorVersion) {
  Values values = {std::string(name(Case{}.regime))};
  for (const Regime regime : all_regimes()) {
    if (regime != Case{}.regime) values.emplace_back(name(regime));
  }
  return values;
}

}  // namespace

std::vector<Axis> output_axes() {
  return {
      make_axis(
          "regime", "how the values of all tensors are chosen", regime_names,
          [](const Case& c) { return std::string(name(c.regime)); },
          [](Case& c, std::string_view value) { c.regime = regime_named(value).value(); }),
      make_axis("outputs", "which outputs are asked for (clause any-output-subset)", subset_names, asked_for, ask_for),
  };
}

}  // namespace cellproof::axes_detail
