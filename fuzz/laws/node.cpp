#include "fuzz/laws/node.hpp"

#include <algorithm>
#include <utility>

namespace cellproof::fuzz {

Node::Node(const Problem& problem) : problem_(problem), sizes_(dimensions_of(problem)) {
  problem_.inputs.resize(std::max(problem_.inputs.size(), input_names(problem_.version.op).size()));
}

std::int64_t Node::gates() const {
  return gate_count(op());
}

Direction Node::direction() const {
  return direction_named(problem_.attributes.direction.value_or("forward")).value_or(Direction::Forward);
}

std::vector<std::int64_t> Node::lengths() const {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(sizes_.N), sizes_.T);
  if (const Tensor* given = problem_.input(input::sequence_lens)) {
    for (std::size_t n = 0; n < lengths.size(); ++n) lengths[n] = given->integer(n);
  }
  return lengths;
}

Tensor Node::tensor(Shape shape) const {
  return {problem_.input(input::X)->type(), std::move(shape)};
}

void Node::set(std::size_t position, Tensor tensor) {
  Input& in = problem_.inputs[position];
  in.presence = Presence::Given;
  in.tensor = std::move(tensor);
  sizes_ = dimensions_of(problem_);
}

void Node::remove(std::size_t position) {
  problem_.inputs[position] = {};
}

void Node::set_lengths(const std::vector<std::int64_t>& lengths) {
  const std::vector<double> values(lengths.begin(), lengths.end());
  set(input::sequence_lens,
      Tensor::from_values(ElementType::Int32, {static_cast<std::int64_t>(values.size())}, values));
}

std::size_t Node::x_at(std::int64_t t, std::int64_t n, std::int64_t i) const {
  return static_cast<std::size_t>((layout1() ? n * sizes_.T + t : t * sizes_.N + n) * sizes_.I + i);
}

std::size_t Node::state_at(std::int64_t d, std::int64_t n, std::int64_t j) const {
  return static_cast<std::size_t>((layout1() ? n * sizes_.D + d : d * sizes_.N + n) * sizes_.H + j);
}

std::size_t Node::y_at(const At& at) const {
  const std::int64_t row =
      layout1() ? (at.n * sizes_.T + at.t) * sizes_.D + at.d : (at.t * sizes_.D + at.d) * sizes_.N + at.n;
  return static_cast<std::size_t>(row * sizes_.H + at.j);
}

Shape Node::x_shape(std::int64_t T, std::int64_t N, std::int64_t I) const {
  return layout1() ? Shape{N, T, I} : Shape{T, N, I};
}

Shape Node::state_shape(std::int64_t N) const {
  return layout1() ? Shape{N, sizes_.D, sizes_.H} : Shape{sizes_.D, N, sizes_.H};
}

void copy_element(const Tensor& source, std::size_t from, Tensor& target, std::size_t to) {
  const std::size_t size = size_of(source.type());
  std::ranges::copy(source.bytes().subspan(from * size, size), target.bytes().subspan(to * size, size).begin());
}

Tensor slice(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  Shape shape = tensor.shape();
  const std::size_t row = tensor.size() / static_cast<std::size_t>(shape[0]);
  shape[0] = count;
  Tensor part(tensor.type(), std::move(shape));
  for (std::size_t k = 0; k < part.size(); ++k)
    copy_element(tensor, static_cast<std::size_t>(first) * row + k, part, k);
  return part;
}

/// As it can stand in a node: nothing absent before or behind what is written.
Problem written(Problem problem) {
  while (!problem.inputs.empty() && problem.inputs.back().presence == Presence::Absent) problem.inputs.pop_back();
  for (Input& in : problem.inputs) {
    if (in.presence == Presence::Absent) in.presence = Presence::Empty;
  }
  return problem;
}

Experiment compare(const Node& left, const Node& right, const Correspondence& to, double factor) {
  Experiment experiment;
  experiment.problems = {written(left.problem()), written(right.problem())};
  const std::vector<std::int64_t> lengths = left.lengths();
  const Dimensions& sizes = left.sizes();
  const std::size_t outputs = std::min(left.problem().outputs.size(), right.problem().outputs.size());
  for (std::size_t output = 0; output < outputs; ++output) {
    if (!left.problem().asks_for(output) || !right.problem().asks_for(output)) continue;
    for (At at; at.n < sizes.N; ++at.n) {
      const std::int64_t length = lengths[static_cast<std::size_t>(at.n)];
      const std::int64_t steps = output == output::Y ? length : std::min<std::int64_t>(length, 1);
      for (at.d = 0; at.d < sizes.D; ++at.d) {
        for (at.t = 0; at.t < steps; ++at.t) {
          for (at.j = 0; at.j < sizes.H; ++at.j) {
            const std::optional<At> other = to(at);
            if (!other) continue;
            const bool y = output == output::Y;
            experiment.equations.push_back(
                {{0, output, y ? left.y_at(at) : left.state_at(at.d, at.n, at.j)},
                 {1, output, y ? right.y_at(*other) : right.state_at(other->d, other->n, other->j)},
                 factor});
          }
        }
      }
    }
  }
  return experiment;
}

Experiment compare(const Node& left, const Node& right) {
  return compare(left, right, [](const At& at) { return std::optional(at); });
}

}  // namespace cellproof::fuzz
