#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/one_direction.hpp"

namespace cellproof::fuzz {
namespace {

/// Directions share nothing but X and the lengths: one of a bidirectional node, and the same as a node of its own.
std::optional<Experiment> half(const Problem& problem, std::int64_t direction) {
  const Node left(problem);
  if (left.direction() != Direction::Bidirectional) return std::nullopt;
  return compare(left, one_direction(left, direction), [direction](At at) {
    const bool is_it = at.d == direction;
    at.d = 0;
    return is_it ? std::optional(at) : std::nullopt;
  });
}

std::optional<Experiment> forward_half(const Problem& problem) {
  return half(problem, 0);
}

std::optional<Experiment> backward_half(const Problem& problem) {
  return half(problem, 1);
}

/// Over the real numbers both are the same recurrence. From opset 14 on, layout 0.
std::optional<Experiment> layout(const Problem& problem) {
  if (problem.version.since_version < 14) return std::nullopt;
  const Node left(problem);
  if (left.layout1()) return std::nullopt;
  Node right(problem);
  right.problem().attributes.layout = 1;
  const auto [T, N, I, H, D] = left.sizes();
  Tensor x = left.tensor({N, T, I});
  for (std::int64_t t = 0; t < T; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), x, static_cast<std::size_t>((n * T + t) * I + i));
    }
  }
  right.set(input::X, std::move(x));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    if (!left.has(position)) continue;
    Tensor state = left.tensor({N, D, H});
    for (std::int64_t d = 0; d < D; ++d) {
      for (std::int64_t n = 0; n < N; ++n) {
        for (std::int64_t j = 0; j < H; ++j)
          copy_element(left.input(position), left.state_at(d, n, j), state, right.state_at(d, n, j));
      }
    }
    right.set(position, std::move(state));
  }
  return compare(left, right);
}

/// The steps are the same ones in the same order; only where they are read and written differs.
std::optional<Experiment> reverse_is_flipped_forward(const Problem& problem) {
  const Node left(problem);
  if (left.direction() != Direction::Reverse) return std::nullopt;
  Node right(problem);
  right.problem().attributes.direction.reset();
  const std::vector<std::int64_t> lengths = left.lengths();
  for (std::int64_t n = 0; n < left.sizes().N; ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < length; ++t) {
      for (std::int64_t i = 0; i < left.sizes().I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), right.mutable_input(input::X),
                     left.x_at(length - 1 - t, n, i));
    }
  }
  return compare(left, right, [lengths](At at) {
    at.t = lengths[static_cast<std::size_t>(at.n)] - 1 - at.t;
    return std::optional(at);
  });
}

}  // namespace

std::span<const Law> directions_laws() {
  // Clauses on lists of parameters: the two halves of a node cannot tell how these go on from one direction to the
  // other.
  const std::vector<Clause> lists_of_parameters = {Clause::AlphaConsumption, Clause::AlphaListLength,
                                                   Clause::AlphaAcrossDirections};
  static const std::vector<Law> list = {
      {"backward-half", "the second half of a bidirectional node is the reverse node of the second half of its weights",
       backward_half, false, lists_of_parameters},
      {"forward-half", "the first half of a bidirectional node is the forward node of the first half of its weights",
       forward_half, false, lists_of_parameters},
      {"layout",
       "layout 1 computes what layout 0 computes, with the first two dimensions exchanged",
       layout,
       false,
       {},
       {"direction=bidirectional input.initial_h=graph input.initial_c=graph", "lengths=ragged input.initial_h=graph"}},
      {"reverse-is-flipped-forward", "reverse computes what forward computes on each row turned round",
       reverse_is_flipped_forward},
  };
  return list;
}

}  // namespace cellproof::fuzz
