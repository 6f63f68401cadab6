#include "oracle/frame.hpp"

namespace cellproof::oracle {

std::int64_t Frame::time(std::int64_t d, std::int64_t b, std::int64_t rank) const {
  return reversed[static_cast<std::size_t>(d)] ? lengths[static_cast<std::size_t>(b)] - 1 - rank : rank;
}

std::size_t Frame::x_offset(std::int64_t t, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? b * T + t : t * N + b) * I);
}

std::size_t Frame::y_offset(std::int64_t t, std::int64_t d, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? (b * T + t) * D + d : (t * D + d) * N + b) * H);
}

std::size_t Frame::state_offset(std::int64_t d, std::int64_t b) const {
  return static_cast<std::size_t>((batchwise ? b * D + d : d * N + b) * H);
}

Shape Frame::y_shape() const {
  return batchwise ? Shape{N, T, D, H} : Shape{T, D, N, H};
}

Shape Frame::state_shape() const {
  return batchwise ? Shape{N, D, H} : Shape{D, N, H};
}

std::vector<std::int64_t> Frame::y_index(std::int64_t t, std::int64_t d, std::int64_t b, std::int64_t j) const {
  return batchwise ? std::vector{b, t, d, j} : std::vector{t, d, b, j};
}

std::vector<std::int64_t> Frame::state_index(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return batchwise ? std::vector{b, d, j} : std::vector{d, b, j};
}

Frame frame_of(const Problem& problem) {
  const Dimensions size = dimensions_of(problem);
  Frame frame{size.T, size.N, size.I, size.H, size.D, problem.attributes.layout.value_or(0) != 0, {}, {}};
  const std::string direction = problem.attributes.direction.value_or("forward");
  if (size.D == 2) {
    frame.reversed = {false, true};
  } else {
    frame.reversed = {direction_named(direction) == Direction::Reverse};
  }
  frame.lengths.assign(static_cast<std::size_t>(size.N), size.T);
  if (const Tensor* lengths = problem.input(input::sequence_lens)) {
    for (std::size_t b = 0; b < frame.lengths.size(); ++b) frame.lengths[b] = lengths->integer(b);
  }
  return frame;
}

}  // namespace cellproof::oracle
