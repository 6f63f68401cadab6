#include "campaign/model_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "spec/finding_words.hpp"
#include "spec/utf8.hpp"

namespace cellproof::campaign {
namespace {

std::string result_of(const CheckedNode& node) {
  return node.calls == 0 ? "not run" : std::string(result_name(node.finding));
}

/// "onnxruntime: CONFORMS, other: DIVERGES"
std::string results_at(const std::vector<CheckedModel>& checked, std::size_t place) {
  std::vector<std::string> results;
  for (const CheckedModel& model : checked)
    if (place < model.nodes.size())
      results.push_back(fmt::format("{}: {}", visible_text(model.engine.name), result_of(model.nodes[place])));
  return fmt::format("{}", fmt::join(results, ", "));
}

/// Place of the first node that fails anywhere.
std::optional<std::size_t> first_wrong(const std::vector<CheckedModel>& checked) {
  std::optional<std::size_t> first;
  for (const CheckedModel& model : checked)
    for (std::size_t k = 0; k < model.nodes.size(); ++k)
      if (model.nodes[k].calls > 0 && !model.nodes[k].finding.pass) first = std::min(first.value_or(k), k);
  return first;
}

/// The largest difference of two outputs; nullopt where they cannot be compared.
std::optional<double> difference(const std::optional<Tensor>& a, const std::optional<Tensor>& b) {
  if (!a || !b || a->shape() != b->shape() || a->type() != b->type()) return std::nullopt;
  double most = 0;
  for (std::size_t k = 0; k < a->size(); ++k) {
    const double apart = std::abs(a->value(k) - b->value(k));
    if (!std::isnan(apart)) most = std::max(most, apart);
  }
  return most;
}

std::string differences_text(const CheckedModel& a, const CheckedModel& b) {
  std::string text;
  for (std::size_t k = 0; k < a.outputs.size() && k < b.outputs.size(); ++k) {
    const auto apart = difference(a.outputs[k], b.outputs[k]);
    if (a.outputs[k] == b.outputs[k]) continue;
    text += fmt::format("  {} and {}: output {} {}\n", visible_text(a.engine.name), visible_text(b.engine.name),
                        visible_text(a.output_names[k]),
                        apart ? fmt::format("differs by {:.3g} at most", *apart) : "has another type or shape");
  }
  return text;
}

bool all_pass(const CheckedModel& model) {
  return std::ranges::any_of(model.nodes, [](const CheckedNode& node) { return node.calls > 0; }) &&
         std::ranges::all_of(model.nodes, [](const CheckedNode& node) { return node.calls == 0 || node.finding.pass; });
}

}  // namespace

std::string comparison_text(const std::vector<CheckedModel>& checked) {
  if (checked.size() < 2) return "";
  std::string text;
  if (const auto place = first_wrong(checked)) {
    for (const CheckedModel& model : checked) {
      if (*place >= model.nodes.size()) continue;
      text = fmt::format("first wrong node: {} ({})\n", visible_text(model.nodes[*place].node->path),
                         results_at(checked, *place));
      break;
    }
  } else if (std::ranges::all_of(checked, all_pass)) {
    text = "the recurrence is right in all engines\n";
  }
  for (std::size_t k = 1; k < checked.size(); ++k) text += differences_text(checked[0], checked[k]);
  return text;
}

}  // namespace cellproof::campaign
