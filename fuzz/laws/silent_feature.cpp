#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

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

}  // namespace cellproof::fuzz::law
