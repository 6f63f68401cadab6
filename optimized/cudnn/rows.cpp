#include "optimized/cudnn/rows.hpp"

namespace cellproof::cudnn {
namespace {

constexpr std::int64_t zero_row = -1;

template <class Visit>
void for_each_state(const Sizes& size, Visit visit) {
  for (std::int64_t d = 0; d < size.D; ++d)
    for (std::int64_t n = 0; n < size.N; ++n) visit(d, n);
}

}  // namespace

std::vector<RowMove> Rows::flip_x(Lengths lengths) const {
  std::vector<RowMove> moves;
  for (std::int64_t n = 0; n < size.N; ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < size.T; ++t) moves.push_back({x(t, n), t < length ? x(length - 1 - t, n) : zero_row});
  }
  return moves;
}

std::vector<RowMove> Rows::finish_y(Lengths lengths) const {
  std::vector<RowMove> moves;
  for_each_state(size, [&](std::int64_t d, std::int64_t n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < size.T; ++t) {
      const std::int64_t step = reverse ? length - 1 - t : t;
      const bool written_by_cudnn = length > 0 || t > 0;  // a sequence without steps is computed as one of one step
      if (!y_in_place())
        moves.push_back({onnx_y(t, d, n), t < length ? cudnn_y(step, d, n) : zero_row});
      else if (!written_by_cudnn)
        moves.push_back({onnx_y(t, d, n), zero_row});
    }
  });
  return moves;
}

std::vector<RowMove> Rows::states_in() const {
  std::vector<RowMove> moves;
  if (states_in_place()) return moves;
  for_each_state(size, [&](std::int64_t d, std::int64_t n) { moves.push_back({cudnn_state(d, n), onnx_state(d, n)}); });
  return moves;
}

std::vector<RowMove> Rows::states_out(Lengths lengths) const {
  std::vector<RowMove> moves;
  if (states_in_place()) return moves;
  for_each_state(size, [&](std::int64_t d, std::int64_t n) {
    if (lengths[static_cast<std::size_t>(n)] > 0) moves.push_back({onnx_state(d, n), cudnn_state(d, n)});
  });
  return moves;
}

std::vector<RowMove> Rows::states_kept(Lengths lengths, bool has_initial) const {
  std::vector<RowMove> moves;
  for_each_state(size, [&](std::int64_t d, std::int64_t n) {
    if (lengths[static_cast<std::size_t>(n)] == 0)
      moves.push_back({onnx_state(d, n), has_initial ? onnx_state(d, n) : zero_row});
  });
  return moves;
}

}  // namespace cellproof::cudnn
