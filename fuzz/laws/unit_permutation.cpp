#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

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

}  // namespace cellproof::fuzz::law
