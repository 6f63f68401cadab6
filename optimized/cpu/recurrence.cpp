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
      product == last ? store_h(share, step, rows) : store_reset(share, rows);
      meet();
    }
    rows_ahead += rows;
  }
  if (kernels_.finish) kernels_.finish();
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
std::pair<std::size_t, std::size_t> Recurrence<Real>::units_of(const Share& share, const Product<Real>& product) const {
  const std::size_t panels = product.panels();
  return {product.first_unit(panels * share.part / share.parts),
          product.first_unit(panels * (share.part + 1) / share.parts)};
}

template <class Real>
void Recurrence<Real>::store_reset(const Share& share, std::size_t rows) {
  Direction& direction = directions_[share.direction];
  if (!direction.factors.has_parts()) return;
  const auto [begin, end] = units_of(share, direction.weights.products.front());
  for (std::size_t row = share.row_begin; row < share.row_begin + rows; ++row)
    direction.factors.split_reset(direction.reset.data() + row * state_stride_, row, begin, end);
}

template <class Real>
void Recurrence<Real>::store_h(const Share& share, std::size_t step, std::size_t rows) {
  void* Y = arguments_.outputs[CELLPROOF_Y];
  Direction& direction = directions_[share.direction];
  const bool in_pairs = direction.factors.in_pairs();
  if (!Y && !in_pairs) return;
  const auto [begin, end] = units_of(share, direction.weights.products.back());
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
