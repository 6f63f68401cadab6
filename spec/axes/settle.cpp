#include "spec/axes/settle.hpp"

#include <algorithm>

#include "spec/axes/activation_lists.hpp"
#include "spec/axes/lengths_pattern.hpp"
#include "spec/axes/quantisation.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

void settle_hidden_size(const Case& before, Case& after) {
  if (after.attributes.hidden_size == before.H) after.attributes.hidden_size = after.H;
}

void settle_functions(const Case& before, Case& after) {
  auto& written = after.attributes.activations;
  if (!written || !before.attributes.activations) return;
  if (written->size() == places(after)) return;
  const std::string style = list_style(before);
  if (style == "two-names") return;
  const auto& defaults = rules_of(after.version).default_activations;
  while (written->size() < places(after)) written->emplace_back(defaults[written->size() % defaults.size()]);
  written->resize(places(after));
  if (style == "default" && list_style(after) == "written-out") written.reset();
}

void settle_values(const Case& before, Case& after, rules::Parameter parameter) {
  const std::string style = values_style(before, parameter);
  if (values_style(after, parameter) != style) write_values(after, parameter, style);
}

void settle_lengths(const Case& before, Case& after) {
  const CaseInput& in = after.inputs[input::sequence_lens];
  const Tensor* literal = std::get_if<Tensor>(&in.values);
  if (in.presence != Presence::Given || literal == nullptr) return;
  bool fits = literal->shape() == Shape{after.N};
  for (std::size_t i = 0; fits && i < literal->size(); ++i) fits = literal->value(i) <= static_cast<double>(after.T);
  const std::string pattern = lengths_pattern(before);
  if (!fits || lengths_pattern(after) != pattern) write_lengths(after, pattern);
}

/// A literal that had the type and shape of its place keeps them, or gives way to generated values.
void settle_literals(const Case& before, Case& after) {
  const std::size_t known = std::min(after.inputs.size(), input_names(after.version.op).size());
  for (std::size_t i = 0; i < known; ++i) {
    const Tensor* literal = std::get_if<Tensor>(&after.inputs[i].values);
    if (literal == nullptr || i == input::sequence_lens || i >= before.inputs.size()) continue;
    const auto fits = [&](const Case& c) {
      return literal->type() == default_type(c, i) && (literal->shape() == default_shape(c, i) || is_per_column(c, i));
    };
    if (fits(before) && !fits(after)) {
      const bool columns = is_per_column(before, i);
      after.inputs[i].values = Generated{};
      if (columns) set_per_column(after, i, true);
    }
  }
}

}  // namespace

Case settle(const Case& before, Case after, std::string_view axis) {
  if (axis != "hidden_size") settle_hidden_size(before, after);
  if (axis != "activations") settle_functions(before, after);
  if (axis != "alpha") settle_values(before, after, rules::Parameter::Alpha);
  if (axis != "beta") settle_values(before, after, rules::Parameter::Beta);
  for (std::size_t i = input::W_scale; i < std::min(after.inputs.size(), before.inputs.size()); ++i) {
    const bool columns = after.inputs[i].shape && is_per_column(before, i);
    if (columns && !axis.starts_with("columns.")) set_per_column(after, i, true);
  }
  settle_literals(before, after);
  const bool listed = std::min(after.inputs.size(), before.inputs.size()) > input::sequence_lens;
  if (listed && axis != "lengths" && axis != "input.sequence_lens") settle_lengths(before, after);
  return after;
}

}  // namespace cellproof::axes_detail
