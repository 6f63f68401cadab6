#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz {
namespace {

/// Rows share nothing but the weights. At least two rows.
std::optional<Experiment> batch_permutation(const Problem& problem) {
  const Node left(problem);
  const std::int64_t N = left.sizes().N;
  if (N < 2) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n < N; ++n) rows.push_back((n + 1) % N);
  return compare(left, with_rows(left, rows), [N](At at) {
    at.n = (at.n + N - 1) % N;
    return std::optional(at);
  });
}

/// Rows share nothing but the weights. At least two rows; the last one alone.
std::optional<Experiment> batch_split(const Problem& problem) {
  const Node left(problem);
  const std::int64_t last = left.sizes().N - 1;
  if (last < 1) return std::nullopt;
  return compare(left, with_rows(left, {last}), [last](At at) {
    const bool is_it = at.n == last;
    at.n = 0;
    return is_it ? std::optional(at) : std::nullopt;
  });
}

/// At least two features.
std::optional<Experiment> feature_permutation(const Problem& problem) {
  const Node left(problem);
  const std::int64_t I = left.sizes().I;
  if (I < 2) return std::nullopt;
  Node right(problem);
  for (const std::size_t position : {input::X, input::W}) {
    const Tensor& from = left.input(position);
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(from.size()); ++k) {
      copy_element(from, static_cast<std::size_t>(k), right.mutable_input(position),
                   static_cast<std::size_t>(k - k % I + (k % I + 1) % I));
    }
  }
  return compare(left, right);
}

/// Rows share nothing but the weights. The first row is repeated behind the last.
std::optional<Experiment> row_repeated(const Problem& problem) {
  const Node left(problem);
  const std::int64_t N = left.sizes().N;
  if (N < 1) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n <= N; ++n) rows.push_back(n % N);
  return compare(left, with_rows(left, rows), [N](At at) {
    if (at.n == 0) at.n = N;
    return std::optional(at);
  });
}

/// X and W get one more column: of zeros and of twos.
std::optional<Experiment> silent_feature(const Problem& problem) {
  const Node left(problem);
  const auto widened = [&left](const Tensor& from, Shape shape, double last) {
    const std::int64_t before = shape.back()++;
    Tensor to = left.tensor(std::move(shape));
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(to.size()); ++k) {
      const std::int64_t column = k % (before + 1);
      if (column == before) {
        to.set_value(static_cast<std::size_t>(k), last);
      } else {
        copy_element(from, static_cast<std::size_t>(k / (before + 1) * before + column), to,
                     static_cast<std::size_t>(k));
      }
    }
    return to;
  };
  Node right(problem);
  right.set(input::X, widened(left.input(input::X), left.input(input::X).shape(), 0));
  right.set(input::W, widened(left.input(input::W), left.input(input::W).shape(), 2));
  return compare(left, right);
}

/// At least two units: rows of every gate, columns of R, states, biases and peepholes move together.
std::optional<Experiment> unit_permutation(const Problem& problem) {
  const Node left(problem);
  const std::int64_t H = left.sizes().H;
  if (H < 2) return std::nullopt;
  Node right(problem);
  const auto moved = [H](std::int64_t j) { return (j + 1) % H; };
  // A tensor whose dimension of `size` blocks of H units has `inner` elements behind each of them.
  const auto move_units = [&](std::size_t position, std::int64_t inner) {
    if (!left.has(position)) return;
    const Tensor& from = left.input(position);
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(from.size()); ++k) {
      const std::int64_t unit = k / inner % H;
      copy_element(from, static_cast<std::size_t>(k), right.mutable_input(position),
                   static_cast<std::size_t>(k + (moved(unit) - unit) * inner));
    }
  };
  move_units(input::W, left.sizes().I);
  for (const std::size_t position : {input::B, input::initial_h, input::initial_c, input::P}) move_units(position, 1);
  const Tensor& R = left.input(input::R);
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(R.size()); ++k) {
    const std::int64_t column = k % H;
    const std::int64_t unit = k / H % H;
    copy_element(R, static_cast<std::size_t>(k), right.mutable_input(input::R),
                 static_cast<std::size_t>(k + moved(column) - column + (moved(unit) - unit) * H));
  }
  return compare(left, right, [moved](At at) {
    at.j = moved(at.j);
    return std::optional(at);
  });
}

}  // namespace

std::span<const Law> permutations_laws() {
  static const std::vector<Law> list = {
      with_promised_bits(
          {"batch-permutation", "rows in another order give the same results in that order", batch_permutation}),
      with_promised_bits({"batch-split", "a row computed alone gives what it gives among others", batch_split}),
      {"feature-permutation",
       "input features in another order with the columns of W in that order give the same results",
       feature_permutation},
      with_promised_bits(
          {"row-repeated", "a row that stands twice in a batch gives the same results twice, as before", row_repeated}),
      {"silent-feature", "a feature that is always zero has no effect, whatever its weights", silent_feature},
      {"unit-permutation", "hidden units in another order give the same results in that order", unit_permutation},
  };
  return list;
}

}  // namespace cellproof::fuzz
