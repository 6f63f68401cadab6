#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {
namespace {

/// The node with the steps of X from `first` on, `count` of them.
Node with_steps(const Node& node, std::int64_t first, std::int64_t count) {
  const auto [T, N, I, H, D] = node.sizes();
  Node part = node;
  part.set(input::X, node.tensor(node.x_shape(count, N, I)));
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(node.input(input::X), node.x_at(first + t, n, i), part.mutable_input(input::X),
                     part.x_at(t, n, i));
    }
  }
  return part;
}

const Tensor* state_in(const Outcome& outcome, std::size_t output, const Shape& shape) {
  const bool there =
      output < outcome.outputs.size() && outcome.outputs[output] && outcome.outputs[output]->shape() == shape;
  return there ? &*outcome.outputs[output] : nullptr;
}

}  // namespace

std::optional<Experiment> time_split(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;  // there Y_h is not always to be had
  Node whole(problem);
  const auto [T, N, I, H, D] = whole.sizes();
  const ElementType type = whole.input(input::X).type();
  const bool stores_what_it_computes = type == ElementType::Float || type == ElementType::Double;
  if (D != 1 || T < 2 || whole.has(input::sequence_lens) || !stores_what_it_computes) return std::nullopt;
  whole.problem().outputs.assign(output_names(whole.op()).size(), Presence::Given);
  const std::int64_t half = T / 2;
  const bool reverse = whole.direction() == Direction::Reverse;
  const Node before = with_steps(whole, reverse ? half : 0, reverse ? T - half : half);
  Node after = with_steps(whole, reverse ? 0 : half, reverse ? half : T - half);
  after.set(input::initial_h, after.tensor(after.state_shape(N)));
  if (has_cell_state(after.op())) after.set(input::initial_c, after.tensor(after.state_shape(N)));

  Experiment experiment = compare(whole, after, [&](At at) {
    at.t -= reverse ? 0 : half;
    return at.t >= 0 && at.t < after.sizes().T ? std::optional(at) : std::nullopt;
  });
  std::erase_if(experiment.equations, [](const Equation& equation) { return equation.left.output != output::Y; });
  for (std::size_t state = output::Y_h; state < whole.problem().outputs.size(); ++state) {
    const auto elements = static_cast<std::size_t>(N * H);
    for (std::size_t k = 0; k < elements; ++k) experiment.equations.push_back({{0, state, k}, {1, state, k}, 1});
  }
  experiment.problems = {written(whole.problem()), written(before.problem())};
  for (Equation& equation : experiment.equations) equation.right.run = 2;
  experiment.last = [after](const std::vector<Outcome>& outcomes) mutable -> std::optional<Problem> {
    const Shape shape = after.state_shape(after.sizes().N);
    const Tensor* h = state_in(outcomes[1], output::Y_h, shape);
    if (h == nullptr) return std::nullopt;
    after.set(input::initial_h, *h);
    if (has_cell_state(after.op())) {
      const Tensor* c = state_in(outcomes[1], output::Y_c, shape);
      if (c == nullptr) return std::nullopt;
      after.set(input::initial_c, *c);
    }
    return written(after.problem());
  };
  return experiment;
}

}  // namespace cellproof::fuzz::law
