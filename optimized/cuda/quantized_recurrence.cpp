#include "optimized/cuda/quantized_recurrence.hpp"

#include <algorithm>

namespace cellproof::cuda {
namespace {

Index words_of(Index width) {
  return (width + 3) / 4;
}

Index pieces_of(Index elements) {
  return (elements + range_piece - 1) / range_piece;
}

}  // namespace

QuantizedRecurrence::Weights::Weights(Backend& backend, Index depth_, Index columns)
    : depth(depth_),
      words(backend, columns * words_of(depth_)),
      zero_point(backend, columns),
      scale(backend, columns),
      excess(backend, columns) {}

QuantizedRecurrence::Bytes::Bytes(Backend& backend, Index rows, Index width)
    : words(backend, rows * words_of(width)), sums(backend, rows), quantization(backend, 1) {}

QuantizedRecurrence::QuantizedRecurrence(const Node& node, Backend& backend, const Setting& setting)
    : RecurrenceOf<float>(node, backend, setting),
      x_(backend, steps_of_chunk(bytes_of_row(words_of(node.geometry.I))) * node.geometry.N, node.geometry.I),
      h_(backend, node.geometry.N, node.geometry.H) {
  const auto& g = node.geometry;
  chunk_ = steps_of_chunk(bytes_of_row(words_of(g.I)));
  inputs_ = Memory<float>(backend, chunk_ * g.N * columns());
  ranges_ = Memory<RangePart>(backend, std::max(pieces_of(g.T * g.N * g.I), g.N));
  for (Index d = 0; d < g.D; ++d) {
    w_.emplace_back(backend, g.I, columns());
    r_.emplace_back(backend, g.H, columns());
  }
}

void QuantizedRecurrence::pack_weights(const Weights& weights, Index direction, std::size_t input, std::size_t scale) {
  const std::size_t zero_point = scale + 1;
  const auto is_per_column = [&](std::size_t i) { return node_.inputs.at(i).rank == 2; };
  const auto place = [&](std::size_t i) { return is_per_column(i) ? direction * columns() : direction; };
  // An element of the weights and of the zero points is a byte.
  backend_.sums(PackColumns{arguments_.input<char>(input) + direction * weights.depth * columns(),
                            node_.inputs.at(input).type == CELLPROOF_CUDA_INT8, weights.depth, columns(),
                            arguments_.input<float>(scale) + place(scale),
                            arguments_.input<char>(zero_point) + place(zero_point), is_per_column(scale),
                            is_per_column(zero_point), weights.view()});
}

void QuantizedRecurrence::pack() {
  pack_vectors();
  for (std::size_t d = 0; d < w_.size(); ++d) {
    pack_weights(w_[d], static_cast<Index>(d), CELLPROOF_CUDA_W, CELLPROOF_CUDA_W_SCALE);
    pack_weights(r_[d], static_cast<Index>(d), CELLPROOF_CUDA_R, CELLPROOF_CUDA_R_SCALE);
  }
}

Index QuantizedRecurrence::launches() const {
  const Index steps = schedule().steps();
  return 2 + node_.geometry.D * (4 + 5 * steps + 2 * (steps / chunk_ + 1));
}

void QuantizedRecurrence::quantize_and_multiply(const Bytes& bytes, const float* values, const Index* at, Index rows,
                                                const Weights& weights, float* out) {
  backend_.sums(
      QuantizeRows{values, at, rows, weights.depth, bytes.quantization.data(), bytes.words.data(), bytes.sums.data()});
  backend_.sums(BytesProduct{bytes.words.data(), bytes.sums.data(), rows, words_of(weights.depth),
                             bytes.quantization.data(), weights.view(), columns(), out});
}

void QuantizedRecurrence::take_step(const Walk<float>& walk, const Weights& weights, Index step) {
  backend_.sums(RangeOfH{walk.h, walk.N, walk.H, lengths_.data(), step, walk.Y != nullptr, ranges_.data()});
  backend_.sums(JoinRanges{ranges_.data(), walk.N, h_.quantization.data()});
  const Index running = schedule().running(step);
  quantize_and_multiply(h_, walk.h_before(step), nullptr, running, weights, recurrent_.data());
  backend_.each(Step<float, Phase::Lstm>{walk, step, schedule().first_row(step)}, running * walk.H);
}

void QuantizedRecurrence::compute() {
  const auto& g = node_.geometry;
  const Index steps = schedule().steps();
  const auto* X = arguments_.input<float>(CELLPROOF_CUDA_X);
  // X is time before batch: these are its first steps, up to the longest length, with the padding in them.
  const Index elements = steps * g.N * g.I;
  backend_.sums(RangeOfX{X, elements, ranges_.data()});
  backend_.sums(JoinRanges{ranges_.data(), pieces_of(elements), x_.quantization.data()});
  for (Index direction = 0; direction < g.D; ++direction) {
    const auto d = static_cast<std::size_t>(direction);
    load_states(direction);
    for (Index begin = 0; begin < steps; begin += chunk_) {
      const Index end = std::min(begin + chunk_, steps), first = schedule().first_row(begin);
      quantize_and_multiply(x_, X, in_x_.at(d).data() + first, schedule().first_row(end) - first, w_[d],
                            inputs_.data());
      const Walk<float> walk = walk_of(direction, first);
      for (Index step = begin; step < end; ++step) take_step(walk, r_[d], step);
    }
    store_states(direction);
  }
}

}  // namespace cellproof::cuda
