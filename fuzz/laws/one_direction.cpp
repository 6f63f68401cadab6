#include "fuzz/laws/one_direction.hpp"

#include "spec/rules/activation_values.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::fuzz {
namespace {

/// The values of the list that belong to the functions of one direction, where it has one for each function that takes
/// the parameter.
void keep_values(std::optional<std::vector<float>>& values, const std::vector<const ActivationInfo*>& functions,
                 std::size_t first, std::size_t count, rules::Parameter parameter) {
  if (!values) return;
  std::vector<float> kept;
  std::size_t next = 0;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    if (!rules::takes(functions[k], parameter) || next >= values->size()) continue;
    if (k >= first && k < first + count) kept.push_back((*values)[next]);
    ++next;
  }
  if (kept.empty()) {
    values.reset();
  } else {
    values = std::move(kept);
  }
}

}  // namespace

Node one_direction(const Node& both, std::int64_t direction) {
  Problem problem = both.problem();
  Attributes& attributes = problem.attributes;
  if (direction == 0) {
    attributes.direction.reset();
  } else {
    attributes.direction = "reverse";
  }
  if (attributes.activations) {
    auto& names = *attributes.activations;
    std::vector<const ActivationInfo*> functions;
    for (const std::string& name : names) functions.push_back(activation_named(name));
    const std::size_t count = names.size() / 2;
    const std::size_t first = direction == 0 ? 0 : count;
    keep_values(attributes.activation_alpha, functions, first, count, rules::Parameter::Alpha);
    keep_values(attributes.activation_beta, functions, first, count, rules::Parameter::Beta);
    names = {names.begin() + static_cast<std::ptrdiff_t>(first),
             names.begin() + static_cast<std::ptrdiff_t>(first + count)};
  }
  for (const std::size_t position : {input::W, input::R, input::B, input::P}) {
    if (both.has(position)) problem.inputs[position].tensor = slice(both.input(position), direction, 1);
  }
  const auto [T, N, I, H, D] = both.sizes();
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    if (!both.has(position)) continue;
    Tensor state = both.tensor(both.layout1() ? Shape{N, 1, H} : Shape{1, N, H});
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t j = 0; j < H; ++j)
        copy_element(both.input(position), both.state_at(direction, n, j), state, static_cast<std::size_t>(n * H + j));
    }
    problem.inputs[position].tensor = std::move(state);
  }
  return Node(problem);
}

}  // namespace cellproof::fuzz
