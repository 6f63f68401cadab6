#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz {
namespace {

/// The node with every number behind the end of a row replaced.
Node padded_with(double value, const Node& node) {
  Node result = node;
  const std::vector<std::int64_t> lengths = node.lengths();
  for (std::int64_t n = 0; n < node.sizes().N; ++n) {
    for (std::int64_t t = lengths[static_cast<std::size_t>(n)]; t < node.sizes().T; ++t) {
      for (std::int64_t i = 0; i < node.sizes().I; ++i)
        result.mutable_input(input::X).set_value(node.x_at(t, n, i), value);
    }
  }
  return result;
}

/// Some row is shorter than T; its padding is replaced by other numbers, by infinities and by NaN.
std::optional<Experiment> padding_contents(const Problem& problem) {
  const Node left(problem);
  std::optional<Experiment> experiment;
  // A mask that is multiplied lets through what is not finite.
  for (const double value : {3.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const Node right = padded_with(value, left);
    if (right.problem() == left.problem()) continue;
    Experiment other = compare(left, right);
    if (!experiment) {
      experiment = std::move(other);
      continue;
    }
    for (Equation& equation : other.equations) {
      equation.right.run = experiment->problems.size();
      experiment->equations.push_back(equation);
    }
    experiment->problems.push_back(std::move(other.problems.back()));
  }
  if (experiment) experiment->bounded_by = written(left.problem());
  return experiment;
}

/// The first row that is shorter than T and has a step, computed as a batch of its own with T its length.
std::optional<Experiment> ragged_is_dense(const Problem& problem) {
  const Node left(problem);
  const auto [T, N, I, H, D] = left.sizes();
  const std::vector<std::int64_t> lengths = left.lengths();
  for (std::int64_t row = 0; row < N; ++row) {
    const std::int64_t length = lengths[static_cast<std::size_t>(row)];
    if (length == 0 || length == T) continue;
    Node right = with_rows(left, {row});
    right.remove(input::sequence_lens);
    right.set(input::X, left.tensor(left.x_shape(length, 1, I)));
    for (std::int64_t t = 0; t < length; ++t) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, row, i), right.mutable_input(input::X), right.x_at(t, 0, i));
    }
    return compare(left, right, [row](At at) {
      const bool is_it = at.n == row;
      at.n = 0;
      return is_it ? std::optional(at) : std::nullopt;
    });
  }
  return std::nullopt;
}

/// Forward, at least two steps, no lengths, opset 7 or later: without its last step a sequence gives the same Y up to
/// there.
std::optional<Experiment> time_prefix(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;  // there Y alone is not always to be had
  const Node left(problem);
  const auto [T, N, I, H, D] = left.sizes();
  if (left.direction() != Direction::Forward || T < 2 || left.has(input::sequence_lens)) return std::nullopt;
  Node right(problem);
  Tensor x = left.tensor(left.x_shape(T - 1, N, I));
  right.set(input::X, std::move(x));
  for (std::int64_t t = 0; t + 1 < T; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), right.mutable_input(input::X), right.x_at(t, n, i));
    }
  }
  right.problem().outputs = {Presence::Given};
  return compare(left, right, [T](const At& at) { return at.t + 1 < T ? std::optional(at) : std::nullopt; });
}

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

/// The node begun from the states that another one ended with; nothing where those are missing.
std::optional<Problem> begun_from(const Outcome& before, Node after) {
  const Shape shape = after.state_shape(after.sizes().N);
  const Tensor* h = state_in(before, output::Y_h, shape);
  if (h == nullptr) return std::nullopt;
  after.set(input::initial_h, *h);
  if (has_cell_state(after.op())) {
    const Tensor* c = state_in(before, output::Y_c, shape);
    if (c == nullptr) return std::nullopt;
    after.set(input::initial_c, *c);
  }
  return written(after.problem());
}

bool can_be_split(const Node& node) {
  const ElementType type = node.input(input::X).type();
  const bool stores_what_it_computes = type == ElementType::Float || type == ElementType::Double;
  return node.sizes().D == 1 && node.sizes().T >= 2 && !node.has(input::sequence_lens) && stores_what_it_computes;
}

/// One direction, at least two steps, no lengths, opset 7 or later, float or double: the second half of the steps begun
/// from the states that the first half ended with.
std::optional<Experiment> time_split(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;  // there Y_h is not always to be had
  Node whole(problem);
  if (!can_be_split(whole)) return std::nullopt;
  const auto [T, N, I, H, D] = whole.sizes();
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
  experiment.last = [after](const std::vector<Outcome>& outcomes) { return begun_from(outcomes[1], after); };
  return experiment;
}

}  // namespace

std::span<const Law> time_laws() {
  static const std::vector<Law> list = {
      {"padding-contents",
       "what X holds behind the end of a row has no effect",
       padding_contents,
       false,
       {},
       {"lengths=ragged direction=reverse regime=normal", "lengths=ragged regime=discriminating"}},
      with_promised_bits({"ragged-is-dense",
                          "a short row gives what it gives alone, as a whole sequence without lengths",
                          ragged_is_dense}),
      with_promised_bits({"time-prefix", "the first steps do not depend on the later ones", time_prefix}),
      with_promised_bits({"time-split",
                          "a sequence is its first half, and its second half begun where the first one ended",
                          time_split}),
  };
  return list;
}

}  // namespace cellproof::fuzz
