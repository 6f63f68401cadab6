#include "fuzz/small_case.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/axes.hpp"
#include "spec/rules/rules.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

/// The last of "2-6", to which a size is taken down.
constexpr std::int64_t last_of_few = 6;
/// Steps of a drawn case: none to twelve.
constexpr std::uint64_t step_counts = 13;
/// Number of the first small sizes, which most cases have.
constexpr std::uint64_t usual_sizes = 6;

constexpr std::array<std::int64_t, 13> sizes_and_none{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 0};

/// All but the sizes, which a recipe names itself.
const std::vector<const Axis*>& stepped_axes() {
  static const std::vector<const Axis*> list = [] {
    std::vector<const Axis*> made;
    for (const Axis& row : axes_of_meaning()) {
      if (row.name != "T" && row.name != "N" && row.name != "I" && row.name != "H") made.push_back(&row);
    }
    return made;
  }();
  return list;
}

/// Small ones mostly, sometimes any, and rarely none: of nothing there is little to be said, and engines that die of it
/// take long to start again.
std::int64_t drawn_size(std::uint64_t word, bool may_be_empty) {
  constexpr std::uint64_t one_in_is_empty = 256, one_in_is_any = 4;
  if (may_be_empty && word % one_in_is_empty == 0) return 0;
  const auto sizes = small_sizes(false);
  const std::uint64_t which = word / one_in_is_empty;
  return sizes[which % (word % one_in_is_any == 0 ? sizes.size() : usual_sizes)];
}

}  // namespace

std::int64_t gate_work(const Case& c) {
  const std::int64_t directions = c.attributes.direction == "bidirectional" ? 2 : 1;
  return directions * c.T * c.N * c.H * (c.I + c.H);
}

Case with_little_work(Case c, std::int64_t most) {
  for (const auto& [name, value] : {std::pair("T", "2-6"), {"N", "2-6"}, {"N", "1"}, {"T", "1"}}) {
    if (gate_work(c) <= most) break;
    const std::int64_t size = name == std::string_view("T") ? c.T : c.N;
    if (size > (value == std::string_view("1") ? 1 : last_of_few)) c = axis(name).apply(c, value);
  }
  return c;
}

std::span<const std::int64_t> small_sizes(bool may_be_empty) {
  const std::span<const std::int64_t> sizes = sizes_and_none;
  return may_be_empty ? sizes : sizes.first(sizes.size() - 1);
}

Case small_case(const CaseRecipe& recipe) {
  const auto& [T, N, I, H] = recipe.sizes;
  Case c = plain_case(recipe.version, ElementType::Float, T, N, I, H);
  c.seed = recipe.seed;
  // The sequence output, which nearly every runtime leaves out otherwise; the axis has a step of its own.
  if (rules_of(recipe.version).attribute("output_sequence") != nullptr) c.attributes.output_sequence = 1;
  for (const AxisStep& step : recipe.steps) {
    const Axis& row = *stepped_axes()[step.axis % stepped_axes().size()];
    const std::vector<std::string> values = row.values(recipe.version);
    if (!values.empty()) c = row.apply(c, values[step.value % values.size()]);
  }
  return with_little_work(std::move(c), most_small_work);
}

CaseRecipe drawn_small_recipe(std::uint64_t seed, std::uint64_t index) {
  const Counter counter(seed, "case");
  const auto versions = all_operator_versions();
  CaseRecipe recipe{versions[counter.word(index, 0) % versions.size()], 1 + counter.word(index, 1) % 1'000'000, {}, {}};
  recipe.sizes = {drawn_size(counter.word(index, 2), true), drawn_size(counter.word(index, 3), true),
                  drawn_size(counter.word(index, 4), false), drawn_size(counter.word(index, 5), false)};
  const std::uint64_t steps = counter.word(index, 6) % step_counts;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const std::uint64_t word = counter.word(index * 16 + k, 7);
    recipe.steps.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)});
  }
  return recipe;
}

}  // namespace cellproof::fuzz
