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
    : RecurrenceOf<float>(node, backend, setting) {
  const auto& g = node.geometry;
  reserve_chunks(static_cast<std::size_t>(words_of(g.I)) * sizeof(std::int32_t));
  ranges_of_x_ = Memory<RangePart>(backend, pieces_of(g.T * g.N * g.I));
  for (Index d = 0; d < g.D; ++d) {
    w_.emplace_back(backend, g.I, columns());
    r_.emplace_back(backend, g.H, columns());
    x_.emplace_back(backend, chunk_ * g.N, g.I);
    h_.emplace_back(backend, g.N, g.H);
    ranges_of_h_.emplace_back(backend, g.N);
  }
}

void QuantizedRecurrence::pack_weights(const Weights& weights, Index direction, std::size_t input, std::size_t scale) {
  const std::size_t zero_point = scale + 1;
  const auto is_per_column = [&](std::size_t i) { return node_.inputs.at(i).rank == 2; };
  const auto place = [&](std::size_t i) { return is_per_column(i) ? direction * columns() : direction; };
  // An element of the weights and of the zero points is a byte.
  backend_.sums(PackColumns{arguments_.input<char>(input) + direction * weights.depth * columns(),
                            node_.inputs.at(input).type == CELLPROOF_INT8, weights.depth, columns(),
                            arguments_.input<float>(scale) + place(scale),
                            arguments_.input<char>(zero_point) + place(zero_point), is_per_column(scale),
                            is_per_column(zero_point), weights.view()});
}

void QuantizedRecurrence::pack() {
  pack_vectors();
  for (std::size_t d = 0; d < w_.size(); ++d) {
    pack_weights(w_[d], static_cast<Index>(d), CELLPROOF_W, CELLPROOF_W_SCALE);
    pack_weights(r_[d], static_cast<Index>(d), CELLPROOF_R, CELLPROOF_R_SCALE);
  }
}

Index QuantizedRecurrence::launches() const {
  const Index steps = schedule().steps();
  return 2 + node_.geometry.D * (4 + 5 * steps + 2 * (steps / chunk_ + 1));
}

void QuantizedRecurrence::quantize_and_multiply(const Bytes& bytes, const Quantization* quantization,
                                                const float* values, const Index* at, Index rows,
                                                const Weights& weights, float* out) {
  backend_.sums(QuantizeRows{values, at, rows, weights.depth, quantization, bytes.words.data(), bytes.sums.data()});
  backend_.sums(BytesProduct{bytes.words.data(), bytes.sums.data(), rows, words_of(weights.depth), quantization,
                             weights.view(), columns(), out});
}

void QuantizedRecurrence::take_step(const Walk<float>& walk, Index direction, Index step) {
  const auto d = static_cast<std::size_t>(direction);
  const Quantization* quantization = h_[d].quantization.data();
  RangePart* ranges = ranges_of_h_[d].data();
  backend_.sums(RangeOfH{walk.h, walk.N, walk.H, lengths_.data(), step, walk.Y != nullptr, ranges});
  backend_.sums(JoinRanges{ranges, walk.N, h_[d].quantization.data()});
  const Index running = schedule().running(step);
  quantize_and_multiply(h_[d], quantization, walk.h_before(step), nullptr, running, r_[d], walk.recurrent);
  backend_.each(Step<float, Phase::Lstm>{walk, step, schedule().first_row(step)}, running * walk.H);
}

void QuantizedRecurrence::compute() {
  const auto& g = node_.geometry;
  const Index steps = schedule().steps();
  const auto* X = arguments_.input<float>(CELLPROOF_X);
  // X is time before batch: these are its first steps, up to the longest length, with the padding in them.
  const Index elements = steps * g.N * g.I;
  Quantization* const of_x = x_.front().quantization.data();
  backend_.sums(RangeOfX{X, elements, ranges_of_x_.data()});
  backend_.sums(JoinRanges{ranges_of_x_.data(), pieces_of(elements), of_x});
  backend_.fork(directions());
  each_direction([&](Index d) { load_states(d); });
  for (Index begin = 0; begin < steps; begin += chunk_) {
    const Index end = std::min(begin + chunk_, steps), first = schedule().first_row(begin);
    std::array<Walk<float>, 2> walks{};
    each_direction([&](Index direction) {
      const auto d = static_cast<std::size_t>(direction);
      quantize_and_multiply(x_[d], of_x, X, in_x_.at(d).data() + first, schedule().first_row(end) - first, w_[d],
                            scratch(direction).inputs.data());
      walks.at(d) = walk_of(direction, first);
    });
    for (Index step = begin; step < end; ++step)
      each_direction([&](Index d) { take_step(walks.at(static_cast<std::size_t>(d)), d, step); });
  }
  each_direction([&](Index d) { store_states(d); });
  backend_.join();
}

}  // namespace cellproof::cuda
