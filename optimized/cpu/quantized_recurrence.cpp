#include "optimized/cpu/quantized_recurrence.hpp"

#include <algorithm>

namespace cellproof::cpu {
namespace {

constexpr std::size_t gates = 4;
constexpr std::size_t ahead_bytes = std::size_t{1} << 20;
/// Processors that multiply words have smaller caches. A large W had better be read seldom all the same.
constexpr std::size_t ahead_bytes_of_words = std::size_t{1} << 18, large_W = std::size_t{1} << 21;
/// Steps of many rows, of which a chunk would hold fewer, are enough by themselves to share a walk over W's weights,
/// and their products need not leave the nearest cache.
constexpr std::size_t steps_worth_going_ahead = 3;
/// So many blocks of hidden units are made cells together: one alone would wait for its own functions.
constexpr std::size_t blocks_at_once = 4;
/// Below this many multiplications of bytes in a step, meeting another thread costs more than it takes over.
constexpr std::size_t worth_a_meeting = 200'000;
/// Below this many floats, so does finding their range.
constexpr std::size_t worth_a_range = 16'384;
/// Threads share the rows where each has so many and the weights of both products find room in its caches, so that all
/// threads can read all of them; else they share the units.
constexpr std::size_t rows_of_a_thread = 6;
constexpr std::size_t weights_in_cache = std::size_t{3} << 20;

/// A share's first block.
std::size_t block_cut(std::size_t blocks, std::size_t part, std::size_t parts) {
  return blocks * part / parts;
}

}  // namespace

QuantizedRecurrence::QuantizedRecurrence(const Node& node, const Kernels<float>& kernels,
                                         const QuantizedKernels& quantized, std::size_t threads)
    : node_(node),
      kernels_(kernels),
      quantized_(quantized),
      sequences_(node),
      directions_(node.size.D),
      team_(threads) {
  const auto& [T, N, I, H, D] = node.size;
  const std::size_t lanes = kernels.lanes, panel = gates * lanes;
  blocks_ = (H + lanes - 1) / lanes;
  state_stride_ = blocks_ * lanes;
  const std::size_t step_bytes = std::max<std::size_t>(N, 1) * blocks_ * panel * sizeof(float);
  const QuantizedFormat& of_X = quantized.format_for(T * N);
  const bool takes_less = of_X.in_words && gates * H * I < large_W;
  const std::size_t steps = (takes_less ? ahead_bytes_of_words : ahead_bytes) / step_bytes;
  is_ahead_ = steps >= steps_worth_going_ahead && (of_X.rows_at_once == 0 || N < of_X.rows_at_once);
  chunk_ = is_ahead_ ? std::clamp(steps, std::size_t{1}, std::max<std::size_t>(T, 1)) : 1;
  tile_ = of_X.tile_rows;
  const std::size_t wanted_rows = std::max(rows_of_a_thread, of_X.rows_at_once);
  by_rows_ = team_.size() > 1 && N / team_.size() >= wanted_rows && gates * H * (I + H) <= weights_in_cache;
  for (Direction& direction : directions_) {
    direction.W = QuantizedWeights(I, H, lanes, of_X);
    direction.R = QuantizedWeights(H, H, lanes, quantized.format_for(N));
    direction.bias = Buffer<float>(blocks_ * panel);
    if (is_ahead_) direction.inputs = Buffer<float>(chunk_ * N * blocks_ * panel);
    if (node.has(CELLPROOF_P)) direction.peepholes = Buffer<float>(3 * state_stride_);
    for (auto& state : {&direction.h[0], &direction.h[1], &direction.c}) *state = Buffer<float>(N * state_stride_);
  }
  zeros_ = Buffer<float>(blocks_ * panel);
  const std::size_t widest = std::min(blocks_at_once, blocks_) * panel;
  for (std::size_t thread = 0; thread < team_.size(); ++thread)
    scratch_.push_back({Bytes(chunk_ * N, directions_[0].W),
                        Bytes(N, directions_[0].R),
                        Buffer<float>(tile_ * widest),
                        Buffer<float>(is_ahead_ ? 0 : tile_ * widest),
                        std::vector<const std::uint8_t*>(tile_),
                        {}});
}

void QuantizedRecurrence::pack(const Arguments& arguments) {
  const std::size_t H = node_.size.H, lanes = kernels_.lanes;
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    Direction& direction = directions_[d];
    direction.W.pack(node_, d, CELLPROOF_W_SCALE, arguments.inputs[CELLPROOF_W],
                     arguments.input<float>(CELLPROOF_W_SCALE), arguments.inputs[CELLPROOF_W_ZERO_POINT]);
    direction.R.pack(node_, d, CELLPROOF_R_SCALE, arguments.inputs[CELLPROOF_R],
                     arguments.input<float>(CELLPROOF_R_SCALE), arguments.inputs[CELLPROOF_R_ZERO_POINT]);
    if (const auto* B = arguments.input<float>(CELLPROOF_B)) {
      for (std::size_t row = 0; row < gates * H; ++row) {
        const std::size_t unit = row % H, gate = row / H, first = d * 2 * gates * H + row;
        direction.bias[(unit / lanes * gates + gate) * lanes + unit % lanes] = B[first] + B[first + gates * H];
      }
    }
    if (const auto* P = arguments.input<float>(CELLPROOF_P))
      for (std::size_t i = 0; i < 3; ++i)
        std::copy_n(P + (d * 3 + i) * H, H, direction.peepholes.data() + i * state_stride_);
  }
}

void QuantizedRecurrence::pack_constants(const Arguments& constants) {
  for (const std::size_t i : {CELLPROOF_W, CELLPROOF_R, CELLPROOF_B, CELLPROOF_P, CELLPROOF_W_SCALE,
                              CELLPROOF_W_ZERO_POINT, CELLPROOF_R_SCALE, CELLPROOF_R_ZERO_POINT})
    if (node_.has(i) && constants.inputs[i] == nullptr && element_count(node_.inputs[i]) > 0) return;
  pack(constants);
  weights_are_packed_ = true;
}

void QuantizedRecurrence::run(const Arguments& arguments) {
  arguments_ = arguments;
  if (!weights_are_packed_) pack(arguments);
  sequences_.set_lengths(arguments.input<int>(CELLPROOF_SEQUENCE_LENS));
  const auto& [T, N, I, H, D] = node_.size;
  sequences_.clear_padding(arguments_.outputs[CELLPROOF_Y]);
  of_x_ = x_quantization();
  if (D == 2 && team_.size() >= 2) {
    team_.run([&](std::size_t thread) {
      if (thread < 2) walk({thread, 0, N, 0, 1, thread, false});
    });
  } else if (team_.size() > 1 && N * gates * H * H >= worth_a_meeting) {
    const std::size_t team = team_.size();
    for (std::size_t d = 0; d < D; ++d)
      team_.run([&](std::size_t thread) {
        by_rows_ ? walk({d, sequences_.cut(thread, team), sequences_.cut(thread + 1, team), 0, 1, thread, true})
                 : walk({d, 0, N, thread, team, thread, false});
      });
  } else {
    for (std::size_t d = 0; d < D; ++d) walk({d, 0, N, 0, 1, 0, false});
  }
}

/// The quantisation of X up to the longest length, padding included.
Quantization QuantizedRecurrence::x_quantization() {
  const auto& [T, N, I, H, D] = node_.size;
  const std::size_t count = N > 0 ? sequences_.length(0) * N * I : 0;
  const auto* X = arguments_.input<float>(CELLPROOF_X);
  const std::size_t parts = count < worth_a_range ? 1 : team_.size();
  const auto find = [&](std::size_t part) {
    const std::size_t begin = count * part / parts;
    Range& range = scratch_[part].ranges[0] = {};
    quantized_.range(X + begin, count * (part + 1) / parts - begin, range.low, range.high);
  };
  parts == 1 ? find(0) : team_.run(find);
  return quantization_of_ranges(0, parts);
}

/// The quantisation for the first threads' ranges together.
Quantization QuantizedRecurrence::quantization_of_ranges(std::size_t which, std::size_t threads) const {
  float low = 0, high = 0;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    low = std::min(low, scratch_[thread].ranges[which].low);
    high = std::max(high, scratch_[thread].ranges[which].high);
  }
  return quantization_of(low, high);
}

void QuantizedRecurrence::walk(const Share& share) {
  const std::size_t N = node_.size.N;
  if (N == 0) return;
  const auto meet = [&] {
    if (share.parts > 1) team_.meet();
  };
  if (share.part == 0) load_state(share);
  meet();
  const std::size_t begin = block_cut(blocks_, share.part, share.parts);
  const std::size_t end = block_cut(blocks_, share.part + 1, share.parts);
  for (std::size_t step = 0; step < sequences_.length(0); ++step) {
    if (step % chunk_ == 0) quantize_x(share, step);
    if (step % chunk_ == 0 && is_ahead_) multiply_ahead(share, step);
    const std::size_t rows = sequences_.running(step, share.row_begin, share.row_end);
    const Quantization of_h = h_quantization(share, step);
    const Buffer<float>& h = directions_[share.direction].h[step % 2];
    for (std::size_t row = share.row_begin; row < share.row_begin + rows; ++row)
      quantize_row(h.data() + row * state_stride_, node_.size.H, of_h, scratch_[share.thread].h, row);
    const bool in_one_go = rows == 1 && is_ahead_ && directions_[share.direction].R.format->lstm_of_row;
    const std::size_t most = in_one_go ? blocks_ : blocks_at_once;
    for (std::size_t i = begin; i < end; i += most) {
      const std::size_t blocks = std::min(most, end - i);
      // Every other step goes backwards, so that it begins with the weights that are still in the cache.
      const std::size_t block = step % 2 == 0 ? i : end - (i - begin) - blocks;
      for (std::size_t row = 0; row < rows; row += tile_)
        compute(share, {share.row_begin + row, std::min(tile_, rows - row), block, blocks}, step, of_h);
    }
    store_y(share, step, rows);
    meet();
  }
  if (kernels_.finish) kernels_.finish();
  if (share.part == 0) store_state(share);
}

void QuantizedRecurrence::quantize_row(const float* values, std::size_t count, const Quantization& quantization,
                                       Bytes& bytes, std::size_t row) const {
  bytes.sums[row] = bytes.format.quantize(values, count, quantization, bytes.values.data() + row * bytes.stride);
}

/// The rows of the chunk that begins with this step.
void QuantizedRecurrence::quantize_x(const Share& share, std::size_t step) {
  const std::size_t first = share.row_begin, rows = share.row_end - first;
  const std::size_t steps = std::min(chunk_, sequences_.length(0) - step);
  for (std::size_t s = 0; s < steps; ++s)
    for (std::size_t row = 0; row < sequences_.running(step + s, first, share.row_end); ++row)
      quantize_row(arguments_.input<float>(CELLPROOF_X) +
                       sequences_.in_x(first + row, sequences_.time(share.direction, first + row, step + s)),
                   node_.size.I, of_x_, scratch_[share.thread].x, s * rows + row);
}

/// The input's product of rows of the chunk, counted from the share's first row of its first step.
void QuantizedRecurrence::multiply_x(const Share& share, const Tile& tile, float* out, std::size_t stride) {
  Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  QuantizedProduct product = product_of(scratch, direction.W, tile, scratch.x, of_x_);
  product.bias = direction.bias.data() + tile.block * gates * kernels_.lanes;
  product.out = out;
  product.out_stride = stride;
  direction.W.format->multiply(product);
}

/// That of the chunk that begins with this step, for this share's blocks. Rows that have ended are computed with the
/// others and not read: which bytes they hold does not matter.
void QuantizedRecurrence::multiply_ahead(const Share& share, std::size_t step) {
  const std::size_t rows = std::min(chunk_, sequences_.length(0) - step) * (share.row_end - share.row_begin);
  const std::size_t begin = block_cut(blocks_, share.part, share.parts);
  const std::size_t end = block_cut(blocks_, share.part + 1, share.parts);
  for (std::size_t block = begin; block < end; block += blocks_at_once)
    for (std::size_t row = 0; row < rows; row += tile_)
      multiply_x(share, {row, std::min(tile_, rows - row), block, std::min(blocks_at_once, end - block)},
                 ahead(share, row, block), blocks_ * gates * kernels_.lanes);
}

/// The input's product with a block, of such a row.
float* QuantizedRecurrence::ahead(const Share& share, std::size_t row, std::size_t block) {
  const std::size_t panel = gates * kernels_.lanes;
  return directions_[share.direction].inputs.data() + ((share.row_begin * chunk_ + row) * blocks_ + block) * panel;
}

void QuantizedRecurrence::load_state(const Share& share) {
  const std::size_t d = share.direction;
  const auto load = [&](std::size_t input, Buffer<float>& state) {
    const auto* initial = arguments_.input<float>(input);
    for (std::size_t row = share.row_begin; row < share.row_end; ++row) {
      float* values = state.data() + row * state_stride_;
      if (initial) {
        std::copy_n(initial + sequences_.in_state(d, row), node_.size.H, values);
      } else {
        std::fill_n(values, node_.size.H, 0.0F);
      }
    }
  };
  load(CELLPROOF_INITIAL_H, directions_[d].h[0]);
  load(CELLPROOF_INITIAL_C, directions_[d].c);
}

void QuantizedRecurrence::store_state(const Share& share) {
  const std::size_t d = share.direction;
  const auto store = [&](std::size_t output, std::size_t row, const Buffer<float>& state) {
    if (auto* data = static_cast<float*>(arguments_.outputs[output]))
      std::copy_n(state.data() + row * state_stride_, node_.size.H, data + sequences_.in_state(d, row));
  };
  for (std::size_t row = share.row_begin; row < share.row_end; ++row) {
    store(CELLPROOF_Y_H, row, directions_[d].h[sequences_.length(row) % 2]);
    store(CELLPROOF_Y_C, row, directions_[d].c);
  }
}

/// By the range of H before this step. The state of a finished row is where its last step left it.
Quantization QuantizedRecurrence::h_quantization(const Share& share, std::size_t step) {
  const bool y_is_wanted = arguments_.outputs[CELLPROOF_Y] != nullptr;
  Range range;
  for (std::size_t row = share.row_begin; row < share.row_end; ++row) {
    const std::size_t taken = std::min(step, sequences_.length(row));
    if (y_is_wanted && step > sequences_.length(row)) continue;
    quantized_.range(directions_[share.direction].h[taken % 2].data() + row * state_stride_, node_.size.H, range.low,
                     range.high);
  }
  if (!share.has_some_rows) return quantization_of(range.low, range.high);
  // Whoever is a step ahead already writes to the other one.
  scratch_[share.thread].ranges[step % 2] = range;
  team_.meet();
  return quantization_of_ranges(step % 2, team_.size());
}

QuantizedProduct QuantizedRecurrence::product_of(Scratch& scratch, const QuantizedWeights& weights, const Tile& tile,
                                                 const Bytes& bytes, const Quantization& quantization) const {
  const std::size_t column = tile.block * gates * kernels_.lanes;
  for (std::size_t i = 0; i < tile.rows; ++i) scratch.rows[i] = bytes.row(tile.row + i);
  const std::int32_t offset = weights.format->byte_offset;
  return {scratch.rows.data(),
          bytes.sums.data() + tile.row,
          tile.rows,
          weights.block(tile.block),
          tile.blocks,
          weights.groups,
          weights.reach_lowest,
          offset * static_cast<std::int32_t>(weights.length),
          {quantization.scale, quantization.zero_point - offset},
          weights.zero_point.data() + column,
          weights.scale.data() + column,
          weights.one_for_all,
          weights.column_sum.data() + column,
          nullptr,
          nullptr,
          0};
}

void QuantizedRecurrence::compute(const Share& share, const Tile& tile, std::size_t step, const Quantization& of_h) {
  Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  const std::size_t lanes = kernels_.lanes, columns = tile.blocks * gates * lanes;
  const auto& functions = node_.activations[share.direction];
  const std::size_t unit = tile.block * lanes, at = tile.row * state_stride_ + unit;
  const float* peepholes = node_.has(CELLPROOF_P) ? direction.peepholes.data() + unit : nullptr;
  LstmStep<float> cell{{nullptr, columns, scratch.recurrent.data(), columns, tile.rows, tile.blocks * lanes},
                       {&functions[0], &functions[1], &functions[2], node_.clip},
                       peepholes,
                       peepholes ? peepholes + state_stride_ : nullptr,
                       peepholes ? peepholes + 2 * state_stride_ : nullptr,
                       node_.input_forget,
                       direction.c.data() + at,
                       direction.h[(step + 1) % 2].data() + at,
                       state_stride_};
  const std::size_t row_of_share = tile.row - share.row_begin;
  if (is_ahead_) {
    cell.gates.input = ahead(share, step % chunk_ * (share.row_end - share.row_begin) + row_of_share, tile.block);
    cell.gates.input_stride = blocks_ * gates * lanes;
  } else {
    multiply_x(share, {row_of_share, tile.rows, tile.block, tile.blocks}, scratch.input.data(), columns);
    cell.gates.input = scratch.input.data();
  }
  // Zeros have the byte 0 and the zero point 0, so their product is exactly zero.
  if (step == 0 && !node_.has(CELLPROOF_INITIAL_H) && direction.R.scales_are_finite) {
    cell.gates.recurrent = zeros_.data();
    cell.gates.recurrent_stride = 0;
    return kernels_.lstm(cell);
  }
  QuantizedProduct product = product_of(scratch, direction.R, tile, scratch.h, of_h);
  const QuantizedFormat& format = *direction.R.format;
  if (tile.rows == 1 && format.lstm_of_row) return format.lstm_of_row(product, cell, step % 2 == 1);
  product.out = scratch.recurrent.data();
  product.out_stride = columns;
  format.multiply(product);
  kernels_.lstm(cell);
}

void QuantizedRecurrence::store_y(const Share& share, std::size_t step, std::size_t rows) const {
  auto* Y = static_cast<float*>(arguments_.outputs[CELLPROOF_Y]);
  if (!Y) return;
  const std::size_t H = node_.size.H, lanes = kernels_.lanes;
  const std::size_t begin = std::min(block_cut(blocks_, share.part, share.parts) * lanes, H);
  const std::size_t end = std::min(block_cut(blocks_, share.part + 1, share.parts) * lanes, H);
  const float* state = directions_[share.direction].h[(step + 1) % 2].data();
  for (std::size_t row = share.row_begin; row < share.row_begin + rows; ++row) {
    const std::size_t at = sequences_.in_y(share.direction, row, sequences_.time(share.direction, row, step));
    std::copy(state + row * state_stride_ + begin, state + row * state_stride_ + end, Y + at + begin);
  }
}

}  // namespace cellproof::cpu
