#include "optimized/cpu/recurrence.hpp"

#include <algorithm>
#include <utility>

namespace cellproof::cpu {

template <class Real>
Recurrence<Real>::Recurrence(const Node& node, const Kernels<Real>& kernels, ScheduleOf* schedule_of,
                             std::size_t threads)
    : node_(node), kernels_(kernels), sequences_(node), team_(threads) {
  const auto& [T, N, I, H, D] = node.size;
  const std::size_t lanes = kernels.lanes;
  state_stride_ = (H + lanes - 1) / lanes * lanes;
  std::vector<Weights<Real>> all_weights;
  for (std::size_t d = 0; d < D; ++d) all_weights.emplace_back(node, kernels, team_.size());
  const std::size_t element_size = takes_pairs(node, kernels) ? sizeof(Real) / 2 : sizeof(Real);
  schedule_ = schedule_of(node, all_weights[0].columns(), element_size, team_.size());
  const std::size_t chunk = std::max<std::size_t>(schedule_.chunk, 1);
  for (std::size_t d = 0; d < D; ++d) {
    Direction& direction = directions_.emplace_back(std::move(all_weights[d]),
                                                    Factors<Real>(node, kernels, sequences_, d, chunk, state_stride_));
    for (Buffer<Real>& h : direction.h) h = Buffer<Real>(N * state_stride_);
    if (node.gates() == 4) direction.c = Buffer<Real>(N * state_stride_);
    if (direction.weights.products.size() == 2) {
      direction.z = Buffer<Real>(N * state_stride_);
      direction.reset = Buffer<Real>(N * state_stride_);
    }
  }
  const Weights<Real>& weights = directions_[0].weights;
  packs_nothing_ = schedule_.uses_weights_once && !directions_[0].factors.copies_x();
  if (schedule_.few && node.op == CELLPROOF_LSTM && weights.products[0].piece == most_piece)
    lstm_of_row_ = weights.products[0].R_in_pairs ? kernels.pairs->lstm_of_row : kernels.lstm_of_row;
  for (Direction& direction : directions_) {
    for (const Product<Real>& product : direction.weights.products)
      if (is_ahead()) direction.inputs.emplace_back(chunk * N * product.stride());
  }
  const std::size_t kept_rows = std::clamp(N, std::size_t{1}, schedule_.tile_rows), stride = weights.widest_panel();
  zeros_ = Buffer<Real>(stride);
  for (std::size_t thread = 0; thread < team_.size(); ++thread)
    scratch_.push_back({Buffer<Real>(kept_rows * stride), Buffer<Real>(kept_rows * stride), FactorRows<Real>(chunk * N),
                        FactorRows<Real>(N)});
}

template <class Real>
void Recurrence<Real>::load_weights(const Arguments& arguments, bool matrices, bool vectors, bool is_R_needed) {
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    Weights<Real>& weights = directions_[d].weights;
    if (matrices) weights.load_matrices(node_, kernels_, d, arguments, packs_nothing_, is_R_needed);
    if (vectors) weights.load_vectors(node_, kernels_, d, arguments);
  }
}

template <class Real>
void Recurrence<Real>::pack_constants(const Arguments& constants) {
  const auto is_constant = [&](std::size_t i) {
    return !node_.has(i) || constants.inputs[i] != nullptr || element_count(node_.inputs[i]) == 0;
  };
  matrices_are_packed_ = is_constant(CELLPROOF_W) && is_constant(CELLPROOF_R);
  vectors_are_loaded_ = is_constant(CELLPROOF_B) && is_constant(CELLPROOF_P);
  packs_nothing_ = packs_nothing_ && !matrices_are_packed_;
  load_weights(constants, matrices_are_packed_, vectors_are_loaded_, true);
}

template <class Real>
void Recurrence<Real>::run(const Arguments& arguments) {
  arguments_ = arguments;
  sequences_.set_lengths(arguments.input<int>(CELLPROOF_SEQUENCE_LENS));
  // A first step that begins with no state multiplies by zeros, which only an infinite R would notice.
  const bool has_later_steps = node_.size.N > 0 && sequences_.length(0) > 1;
  load_weights(arguments, !matrices_are_packed_, !vectors_are_loaded_,
               has_later_steps || node_.has(CELLPROOF_INITIAL_H));
  sequences_.clear_padding(arguments_.outputs[CELLPROOF_Y]);
  const std::size_t threads = schedule_.threads, N = node_.size.N, D = node_.size.D;
  if (threads == 1) {
    for (std::size_t d = 0; d < D; ++d) walk({d, 0, N, 0, 1, 0});
  } else if (schedule_.one_direction_each) {
    team_.run([&](std::size_t thread) {
      if (thread < 2) walk({thread, 0, N, 0, 1, thread});
    });
  } else if (schedule_.by_units) {
    for (std::size_t d = 0; d < D; ++d)
      team_.run([&](std::size_t thread) { walk({d, 0, N, thread, threads, thread}); });
  } else {
    team_.run([&](std::size_t thread) {
      if (thread >= threads) return;
      for (std::size_t d = 0; d < D; ++d)
        walk({d, sequences_.cut(thread, threads), sequences_.cut(thread + 1, threads), 0, 1, thread});
    });
  }
}

template <class Real>
void Recurrence<Real>::walk(const Share& share) {
  if (share.row_begin == share.row_end) return;
  Direction& direction = directions_[share.direction];
  const auto meet = [&] {
    if (share.parts > 1) team_.meet();
  };
  if (share.part == 0) load_state(share);
  meet();
  const std::size_t longest = sequences_.length(share.row_begin), last = direction.weights.products.size() - 1;
  std::size_t rows_ahead = 0;
  for (std::size_t step = 0; step < longest; ++step) {
    const std::size_t rows = sequences_.running(step, share.row_begin, share.row_end);
    const bool chunk_begins = is_ahead() && step % schedule_.chunk == 0;
    if (chunk_begins) rows_ahead = 0;
    if (direction.factors.copies_x() && (chunk_begins || !is_ahead())) {
      load_x(share, step, rows);
      meet();
    }
    if (chunk_begins) multiply_ahead(share, step);
    for (std::size_t product = 0; product <= last; ++product) {
      step_product(share, product, {step, rows, rows_ahead});
      if (product == last) store_h(share, step, rows);
      meet();
    }
    rows_ahead += rows;
  }
  if (share.part == 0) store_state(share);
}

template <class Real>
void Recurrence<Real>::load_state(const Share& share) {
  Direction& direction = directions_[share.direction];
  const auto load = [&](std::size_t input, Buffer<Real>& state) {
    if (state.size() == 0) return;
    for (std::size_t row = share.row_begin; row < share.row_end; ++row) {
      Real* values = state.data() + row * state_stride_;
      if (node_.has(input)) {
        kernels_.widen(node_.type, arguments_.inputs[input], sequences_.in_state(share.direction, row), node_.size.H,
                       values);
      } else {
        std::fill_n(values, node_.size.H, Real(0));
      }
    }
  };
  load(CELLPROOF_INITIAL_H, direction.h[0]);
  for (std::size_t row = share.row_begin; direction.factors.in_pairs() && row < share.row_end; ++row)
    direction.factors.round_h(direction.h[0].data() + row * state_stride_, row, 0, 0, node_.size.H);
  load(CELLPROOF_INITIAL_C, direction.c);
}

template <class Real>
void Recurrence<Real>::store_state(const Share& share) {
  Direction& direction = directions_[share.direction];
  for (std::size_t row = share.row_begin; row < share.row_end; ++row) {
    const std::size_t at = sequences_.in_state(share.direction, row), H = node_.size.H;
    const auto store = [&](std::size_t output, const Buffer<Real>& state) {
      void* data = arguments_.outputs[output];
      if (data) kernels_.narrow(node_.type, state.data() + row * state_stride_, H, data, at);
    };
    store(CELLPROOF_Y_H, direction.h[sequences_.length(row) % 2]);
    if (direction.c.size() > 0) store(CELLPROOF_Y_C, direction.c);
  }
}

/// The rows of this step, or of the chunk that begins with it.
template <class Real>
void Recurrence<Real>::load_x(const Share& share, std::size_t step, std::size_t rows) {
  const std::size_t end = is_ahead() ? step + schedule_.chunk : step + 1;
  for (std::size_t row = share.row_begin; row < share.row_begin + rows; ++row)
    for (std::size_t s = step + share.part; s < std::min(end, sequences_.length(row)); s += share.parts)
      directions_[share.direction].factors.load_x(arguments_.inputs[CELLPROOF_X], row, s);
}

template <class Real>
Multiplication<Real> Recurrence<Real>::multiplication(const Product<Real>& product, std::size_t panel, Side side,
                                                      const Real* const* rows, std::size_t count, Real* out,
                                                      std::size_t stride) const {
  const bool of_x = side == Side::X;
  const std::size_t length =
      of_x ? packed_length(node_.size.I, product.W_in_pairs) : packed_length(node_.size.H, product.R_in_pairs);
  const Real* bias = of_x ? product.bias_of(panel) : product.recurrent_bias_of(panel);
  const Real* weights = of_x ? product.w_panel(panel, length) : product.r_panel(panel, length);
  return {rows, count, weights, product.vectors_in(panel), product.piece, length, bias, out, stride};
}

template <class Real>
void Recurrence<Real>::multiply(std::size_t d, const Product<Real>& product, std::size_t panel, Side side,
                                const FactorRows<Real>& rows, std::size_t first, std::size_t count, Real* out,
                                std::size_t stride) const {
  const Multiplication<Real> m = multiplication(product, panel, side, rows.at.data() + first, count, out, stride);
  if (packs_nothing_) {
    const auto* all = arguments_.input<Real>(side == Side::X ? CELLPROOF_W : CELLPROOF_R);
    const Real* weights = all + d * node_.gates() * node_.size.H * m.length;
    for (std::size_t row = 0; row < count; ++row)
      multiply_unpacked(kernels_, product, panel, m.rows[row], weights, m.length, m.bias, out + row * stride);
    return;
  }
  if (side == Side::X ? product.W_in_pairs : product.R_in_pairs)
    return multiply_pairs(*kernels_.pairs, m, rows.is_careful.data() + first);
  count == 1 ? kernels_.multiply_row(m) : kernels_.multiply(m);
}

/// The input's product of the chunk that begins with this step, for the share's rows and panels: row after row of one
/// step after the other, so that there are many rows however few a step has.
template <class Real>
void Recurrence<Real>::multiply_ahead(const Share& share, std::size_t step) {
  Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  const std::size_t end = std::min(step + schedule_.chunk, sequences_.length(share.row_begin));
  std::size_t count = 0;
  for (std::size_t s = step; s < end; ++s) {
    const std::size_t rows = sequences_.running(s, share.row_begin, share.row_end);
    for (std::size_t i = 0; i < rows; ++i)
      direction.factors.put_x(arguments_.inputs[CELLPROOF_X], share.row_begin + i, s, direction.weights.least_of_W,
                              count++, scratch.x_rows);
  }
  for (std::size_t q = 0; q < direction.weights.products.size(); ++q) {
    const Product<Real>& product = direction.weights.products[q];
    const std::size_t panels = product.panels(), last = panels * (share.part + 1) / share.parts;
    for (std::size_t panel = panels * share.part / share.parts; panel < last; ++panel) {
      const std::size_t column = panel * product.per_panel * product.lanes;
      for (std::size_t row = 0; row < count; row += schedule_.tile_rows)
        multiply(share.direction, product, panel, Side::X, scratch.x_rows, row,
                 std::min(schedule_.tile_rows, count - row), ahead(share, q, row) + column, product.stride());
    }
  }
}

/// The input's product with all vectors, of a row of the chunk: counted from the share's first row of its first step.
template <class Real>
Real* Recurrence<Real>::ahead(const Share& share, std::size_t q, std::size_t row) {
  Direction& direction = directions_[share.direction];
  const Product<Real>& product = direction.weights.products[q];
  return direction.inputs[q].data() + (share.row_begin * schedule_.chunk + row) * product.stride();
}

template <class Real>
void Recurrence<Real>::step_product(const Share& share, std::size_t q, const Step& step) {
  const Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  const Buffer<Real>& state = q == 1 ? direction.reset : direction.h[step.number % 2];
  for (std::size_t i = 0; i < step.rows; ++i) {
    const std::size_t row = share.row_begin + i;
    if (direction.weights.products[q].R_in_pairs)
      direction.factors.put_h(row, step.number, direction.weights.least_of_R, i, scratch.h_rows);
    else
      scratch.h_rows.at[i] = state.data() + row * state_stride_;
    if (!is_ahead())
      direction.factors.put_x(arguments_.inputs[CELLPROOF_X], row, step.number, direction.weights.least_of_W, i,
                              scratch.x_rows);
  }
  const std::size_t panels = direction.weights.products[q].panels();
  const std::size_t begin = panels * share.part / share.parts, end = panels * (share.part + 1) / share.parts;
  for (std::size_t i = begin; i < end; ++i) {
    // Every other step goes backwards, so that it begins with the weights that are still in the cache.
    const std::size_t panel = step.number % 2 == 0 ? i : end - 1 - (i - begin);
    in_even_pieces(step.rows, schedule_.tile_rows, [&](std::size_t row, std::size_t count) {
      compute(share, {q, panel, share.row_begin + row, count, step.number, step.ahead + row});
    });
  }
}

template <class Real>
void Recurrence<Real>::compute(const Share& share, const Tile& tile) {
  Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  const Product<Real>& product = direction.weights.products[tile.product];
  const std::size_t stride = product.panel_stride();
  const std::size_t column = tile.panel * product.per_panel * product.lanes, first = tile.row - share.row_begin;
  Gates<Real> gates{nullptr, stride, nullptr, stride, tile.rows, product.units_in(tile.panel)};

  if (is_ahead()) {
    gates.input = ahead(share, tile.product, tile.ahead) + column;
    gates.input_stride = product.stride();
  } else {
    multiply(share.direction, product, tile.panel, Side::X, scratch.x_rows, first, tile.rows, scratch.input.data(),
             stride);
    gates.input = scratch.input.data();
  }

  const Real* bias = product.recurrent_bias_of(tile.panel);
  if (tile.step == 0 && !node_.has(CELLPROOF_INITIAL_H) && direction.weights.R_is_finite) {
    gates.recurrent = bias ? bias : zeros_.data();
    gates.recurrent_stride = 0;
  } else if (lstm_of_row_ && !packs_nothing_ && tile.rows == 1 && !scratch.h_rows.is_careful[first]) {
    const Multiplication<Real> of_h = multiplication(product, tile.panel, Side::H, scratch.h_rows.at.data() + first, 1,
                                                     scratch.recurrent.data(), stride);
    return lstm_of_row_(of_h, lstm_step(share, tile, gates), tile.step % 2 == 1);
  } else {
    multiply(share.direction, product, tile.panel, Side::H, scratch.h_rows, first, tile.rows, scratch.recurrent.data(),
             stride);
    gates.recurrent = scratch.recurrent.data();
  }
  apply_cell(share, tile, gates);
}

template <class Real>
LstmStep<Real> Recurrence<Real>::lstm_step(const Share& share, const Tile& tile, const Gates<Real>& gates) {
  Direction& direction = directions_[share.direction];
  const auto& [f, g, h] = node_.activations[share.direction];
  const std::size_t unit = direction.weights.products[tile.product].first_unit(tile.panel);
  const std::size_t at = tile.row * state_stride_ + unit;
  const Real* P = node_.has(CELLPROOF_P) ? direction.weights.peepholes.data() + unit : nullptr;
  return {gates,
          {&f, &g, &h, static_cast<Real>(node_.clip)},
          P,
          P ? P + state_stride_ : nullptr,
          P ? P + 2 * state_stride_ : nullptr,
          node_.input_forget,
          direction.c.data() + at,
          direction.h[(tile.step + 1) % 2].data() + at,
          state_stride_};
}

template <class Real>
void Recurrence<Real>::apply_cell(const Share& share, const Tile& tile, const Gates<Real>& gates) {
  Direction& direction = directions_[share.direction];
  const auto& functions = node_.activations[share.direction];
  const Functions<Real> fgh{&functions[0], &functions[1], &functions[2], static_cast<Real>(node_.clip)};
  const std::size_t unit = direction.weights.products[tile.product].first_unit(tile.panel);
  const std::size_t at = tile.row * state_stride_ + unit;
  const Real* before = direction.h[tile.step % 2].data() + at;
  Real* after = direction.h[(tile.step + 1) % 2].data() + at;
  if (node_.op == CELLPROOF_LSTM) return kernels_.lstm(lstm_step(share, tile, gates));
  if (node_.op == CELLPROOF_RNN) return kernels_.rnn({gates, fgh, after, state_stride_});
  if (node_.linear_before_reset)
    return kernels_.gru_after({gates, fgh, before, nullptr, nullptr, after, state_stride_});
  const GruStep<Real> step{gates, fgh,          before, direction.z.data() + at, direction.reset.data() + at,
                           after, state_stride_};
  tile.product == 0 ? kernels_.gru_gates(step) : kernels_.gru_state(step);
}

template <class Real>
void Recurrence<Real>::store_h(const Share& share, std::size_t step, std::size_t rows) {
  void* Y = arguments_.outputs[CELLPROOF_Y];
  Direction& direction = directions_[share.direction];
  const bool in_pairs = direction.factors.in_pairs();
  if (!Y && !in_pairs) return;
  const Product<Real>& product = direction.weights.products.back();
  const std::size_t panels = product.panels();
  const std::size_t begin = product.first_unit(panels * share.part / share.parts);
  const std::size_t end = product.first_unit(panels * (share.part + 1) / share.parts);
  const Real* state = direction.h[(step + 1) % 2].data();
  for (std::size_t row = share.row_begin; row < share.row_begin + rows; ++row) {
    const Real* values = state + row * state_stride_;
    if (in_pairs) direction.factors.round_h(values, row, step + 1, begin, end);
    if (!Y) continue;
    const std::size_t at = sequences_.in_y(share.direction, row, sequences_.time(share.direction, row, step));
    kernels_.narrow(node_.type, values + begin, end - begin, Y, at + begin);
  }
}

template class Recurrence<float>;
template class Recurrence<double>;

}  // namespace cellproof::cpu
