#include "oracle/testing/bounds_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "oracle/contract.hpp"
#include "oracle/honest_outputs.hpp"
#include "oracle/observed.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/task.hpp"
#include "spec/content_hash.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle::testing {
namespace {

std::string part_of(std::string_view output, const std::vector<Element>& elements) {
  std::array<int, element_class_count> counts{};
  double bounds = 0, used = 0;
  int unbounded = 0, open = 0;
  for (const Element& e : elements) {
    ++counts.at(static_cast<std::size_t>(e.cls));
    open += e.open ? 1 : 0;
    used = std::max(used, std::isfinite(e.ratio) ? e.ratio : 0);
    if (std::isfinite(e.bound)) bounds += e.bound;
    unbounded += std::isfinite(e.bound) ? 0 : 1;
  }
  std::string text = fmt::format(" {}", output);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts.at(k) > 0) text += fmt::format(" {} {},", counts.at(k), name(static_cast<ElementClass>(k)));
  }
  if (open > 0) text += fmt::format(" {} open,", open);
  if (unbounded > 0) text += fmt::format(" {} unbounded,", unbounded);
  return text + fmt::format(" {:.6g} ({:.3g});", bounds, used);
}

/// Expects that what it says of all elements in short is what they say.
void expect_consistent(const ElementEvaluation& found) {
  bool beyond = false, open = false;
  for (const auto* elements : {&found.Y, &found.Y_h, &found.Y_c}) {
    for (const Element& e : *elements) {
      beyond = beyond || e.cls == ElementClass::Divergent;
      open = open || e.open;
    }
  }
  EXPECT_EQ(found.any_beyond, beyond);
  EXPECT_EQ(found.any_open, open);
}

std::string bounds_of_task(const Task& task, int bits) {
  std::string text;
  for (const Tier tier : {Tier::Running, Tier::Certified}) {
    const ElementEvaluation found = run_evaluation(task, tier, false, bits);
    expect_consistent(found);
    text += tier == Tier::Running ? "  running:" : "  certified:";
    if (!found.Y.empty()) text += part_of("Y", found.Y);
    if (!found.Y_h.empty()) text += part_of("Y_h", found.Y_h);
    if (!found.Y_c.empty()) text += part_of("Y_c", found.Y_c);
    text.back() = '\n';
  }
  return text;
}

/// The k-th element's value, lowest or highest one, or the first number above that.
double chosen_of(const HonestElement& honest, std::size_t k, ElementType type) {
  if (honest.lo > honest.hi) return std::numeric_limits<double>::quiet_NaN();
  switch (k % 4) {
    case 0:
      return honest.value;
    case 1:
      return honest.lo;
    case 2:
      return honest.hi;
    default:
      return next_up(type, honest.hi);
  }
}

Outputs edges_of(const HonestOutputs& honest, ElementType type) {
  Outputs outputs(honest.size());
  for (std::size_t k = 0; k < honest.size(); ++k) {
    if (!honest[k]) continue;
    std::vector<double> values;
    for (const HonestElement& element : honest[k]->elements) values.push_back(chosen_of(element, values.size(), type));
    outputs[k] = Tensor::from_values(type, honest[k]->shape, values);
  }
  return outputs;
}

void append_bits(std::string& bytes, double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
  bytes.append(bits.data(), bits.size());
}

void append_all(std::string& bytes, const std::vector<Element>& elements) {
  for (const Element& e : elements) {
    for (const double value : {e.observed, e.expected, e.error, e.bound, e.ratio}) append_bits(bytes, value);
    bytes += static_cast<char>(e.cls);
    bytes += e.open ? 'o' : '-';
  }
}

}  // namespace

std::string digest_of_bounds(const Problem& problem, std::span<const ContractId> contracts) {
  const ElementType type = problem.input(input::X)->type();
  std::string bytes;
  for (const HonestOutputs& honest : honest_outputs(problem, {})) {
    const Outputs outputs = edges_of(honest, type);
    const Observed seen(problem, outputs);
    for (const ContractId id : contracts) {
      if (!applies_to(id, type)) continue;
      const Task task(seen, {}, arithmetic_of(id, type));
      for (const Tier tier : {Tier::Running, Tier::Certified}) {
        const ElementEvaluation found = run_evaluation(task, tier, false, first_bits_of_balls);
        for (const auto* elements : {&found.Y, &found.Y_h, &found.Y_c}) append_all(bytes, *elements);
        expect_consistent(found);
        // Elements so near to a bound stay open in `double`, if anywhere.
        expect_consistent(run_evaluation(task, tier, false, first_precision_level(type)));
      }
    }
  }
  return content_hash(bytes);
}

std::string bounds_text(const Problem& problem, const Outputs& outputs, std::span<const ContractId> contracts) {
  const ElementType type = problem.input(input::X)->type();
  const Observed seen(problem, outputs);
  std::string text, names, last;
  for (const ContractId id : contracts) {
    if (!applies_to(id, type)) continue;
    const Task task(seen, {}, arithmetic_of(id, type));
    const std::string bounds = bounds_of_task(task, first_precision_level(type));
    if (bounds == last) {
      names += fmt::format(", {}", name(id));
      continue;
    }
    if (!last.empty()) text += fmt::format(" {}\n{}", names, last);
    names = name(id), last = bounds;
  }
  return text + fmt::format(" {}\n{}", names, last);
}

}  // namespace cellproof::oracle::testing
