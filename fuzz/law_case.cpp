#include "fuzz/law_case.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "spec/rules/rules.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::int64_t most_of_a_size = 9;

/// Sizes that cost much, data of which nothing can be compared, and values at which an engine may do as it likes.
bool is_for_laws(std::string_view axis_name, std::string_view value) {
  static const std::pair<std::string_view, std::string_view> left_out[] = {{"regime", "special"},
                                                                           {"regime", "subnormal"},
                                                                           {"regime", "chaotic"},
                                                                           {"layout", "2"},
                                                                           {"clip", "zero"},
                                                                           {"hidden_size", "absent"},
                                                                           {"activations", "lower-case"},
                                                                           {"activations", "two-names"},
                                                                           {"alpha", "short"},
                                                                           {"alpha", "long"},
                                                                           {"beta", "short"},
                                                                           {"beta", "long"},
                                                                           {"linear_before_reset", "2"},
                                                                           {"input_forget", "1"},
                                                                           {"lengths", "with-zero"},
                                                                           {"lengths", "all-zero"}};
  if (axis_name == "T" || axis_name == "N" || axis_name == "I" || axis_name == "H") {
    return value != "0" && value != "10-15" && value != "16" && value != "17" && value != "18-";
  }
  return std::ranges::find(left_out, std::pair(axis_name, value)) == std::ranges::end(left_out);
}

}  // namespace

std::vector<std::string> values_for_laws(const Axis& axis, OperatorVersion version) {
  if (axis.name == "output_sequence") return {};
  std::vector<std::string> values = axis.values(version);
  std::erase_if(values, [&](const std::string& value) { return !is_for_laws(axis.name, value); });
  return values;
}

Case case_of(const CaseRecipe& recipe) {
  const auto few = [](std::int64_t size) { return std::clamp<std::int64_t>(size, 1, most_of_a_size); };
  const auto& [T, N, I, H] = recipe.sizes;
  Case c = plain_case(recipe.version, ElementType::Float, few(T), few(N), few(I), few(H));
  c.seed = recipe.seed;
  if (rules_of(recipe.version).attribute("output_sequence") != nullptr) c.attributes.output_sequence = 1;
  for (const AxisStep& step : recipe.steps) {
    const Axis& row = axes_of_meaning()[step.axis % axes_of_meaning().size()];
    const std::vector<std::string> values = values_for_laws(row, recipe.version);
    if (!values.empty()) c = row.apply(c, values[step.value % values.size()]);
  }
  return c;
}

CaseRecipe drawn_recipe(std::uint64_t seed, std::uint64_t index) {
  const Counter counter(seed, "law");
  const auto versions = all_operator_versions();
  CaseRecipe recipe{versions[counter.word(index, 0) % versions.size()], 1 + counter.word(index, 1) % 1'000'000, {}, {}};
  const std::uint64_t steps = counter.word(index, 2) % 13;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const std::uint64_t word = counter.word(index * 16 + k, 3);
    recipe.steps.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)});
  }
  return recipe;
}

}  // namespace cellproof::fuzz
