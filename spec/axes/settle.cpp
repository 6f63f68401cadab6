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
  const bool untouched = *written == *before.attributes.activations;
  if (!untouched || written->size() == places(after)) return;
  const std::string style = list_style(before);
  if (style == "two-names") return;
  const auto& defaults = rules_of(after.version).default_activations;
  while (written->size() < places(after)) written->emplace_back(defaults[written->size() % defaults.size()]);
  written->resize(places(after));
  if (style == "default" && list_style(after) == "written-out") written.reset();
}

void settle_values(const Case& before, Case& after) {
  for (const rules::Parameter parameter : {rules::Parameter::Alpha, rules::Parameter::Beta}) {
    const bool alpha = parameter == rules::Parameter::Alpha;
    const auto& now = alpha ? after.attributes.activation_alpha : after.attributes.activation_beta;
    const auto& then = alpha ? before.attributes.activation_alpha : before.attributes.activation_beta;
    const std::string style = values_style(before, parameter);
    if (now == then && values_style(after, parameter) != style) write_values(after, parameter, style);
  }
}

void settle_lengths(const Case& before, Case& after) {
  const CaseInput& in = after.inputs[input::sequence_lens];
  const Tensor* literal = std::get_if<Tensor>(&in.values);
  if (in.presence != Presence::Given || literal == nullptr || before.inputs[input::sequence_lens] != in) return;
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

Case settle(const Case& before, Case after) {
  settle_hidden_size(before, after);
  settle_functions(before, after);
  settle_values(before, after);
  for (std::size_t i = input::W_scale; i < std::min(after.inputs.size(), before.inputs.size()); ++i) {
    const bool untouched = after.inputs[i] == before.inputs[i];
    if (untouched && after.inputs[i].shape && is_per_column(before, i)) set_per_column(after, i, true);
  }
  settle_literals(before, after);
  if (after.inputs.size() > input::sequence_lens && before.inputs.size() > input::sequence_lens) {
    settle_lengths(before, after);
  }
  return after;
}

}  // namespace cellproof::axes_detail
