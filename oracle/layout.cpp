#include "oracle/layout.hpp"

#include <numeric>

namespace cellproof::oracle {

std::int64_t Layout::time(std::int64_t d, std::int64_t b, std::int64_t rank) const {
  if (!reversed[static_cast<std::size_t>(d)]) return rank;
  return (reverse_takes_last ? T : lengths[static_cast<std::size_t>(b)]) - 1 - rank;
}

std::int64_t Layout::padding_begin(std::int64_t d, std::int64_t b) const {
  return reverse_takes_last && reversed[static_cast<std::size_t>(d)] ? 0 : lengths[static_cast<std::size_t>(b)];
}

std::size_t Layout::x_offset(std::int64_t t, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? b * T + t : t * N + b) * I);
}

std::size_t Layout::y_offset(std::int64_t t, std::int64_t d, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? (b * T + t) * D + d : (t * D + d) * N + b) * H);
}

std::size_t Layout::state_offset(std::int64_t d, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? b * D + d : d * N + b) * H);
}

Shape Layout::y_shape() const {
  return batchwise ? Shape{N, T, D, H} : Shape{T, D, N, H};
}

Shape Layout::state_shape() const {
  return batchwise ? Shape{N, D, H} : Shape{D, N, H};
}

std::vector<std::int64_t> Layout::y_index(std::int64_t t, std::int64_t d, std::int64_t b, std::int64_t j) const {
  return batchwise ? std::vector{b, t, d, j} : std::vector{t, d, b, j};
}

std::vector<std::int64_t> Layout::state_index(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return batchwise ? std::vector{b, d, j} : std::vector{d, b, j};
}

double Layout::products(Operator op) const {
  const auto steps = std::reduce(lengths.begin(), lengths.end());
  return static_cast<double>(steps) * static_cast<double>(gate_count(op) * H * (I + H));
}

Layout layout_of(const Problem& problem) {
  const Dimensions size = dimensions_of(problem);
  Layout layout{size.T, size.N, size.I, size.H, size.D, problem.attributes.layout.value_or(0) != 0, {}, {}};
  const std::string direction = problem.attributes.direction.value_or("forward");
  if (size.D == 2) {
    layout.reversed = {false, true};
  } else {
    layout.reversed = {direction_named(direction) == Direction::Reverse};
  }
  layout.lengths.assign(static_cast<std::size_t>(size.N), size.T);
  if (const Tensor* lengths = problem.input(input::sequence_lens)) {
    for (std::size_t b = 0; b < layout.lengths.size(); ++b) layout.lengths[b] = lengths->integer(b);
  }
  return layout;
}

}  // namespace cellproof::oracle
