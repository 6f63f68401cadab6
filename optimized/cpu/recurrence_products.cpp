// The products of a step, and what is made of them.
#include <algorithm>
#include <functional>

#include "optimized/cpu/recurrence.hpp"

namespace cellproof::cpu {

template <class Real>
Multiplication<Real> Recurrence<Real>::multiplication(const Product<Real>& product, std::size_t panel, Side side,
                                                      const Real* const* rows, std::size_t count, Real* out,
                                                      std::size_t stride) const {
  const bool of_x = side == Side::X;
  const std::size_t length =
      of_x ? packed_length(node_.size.I, product.W_in_pairs) : packed_length(node_.size.H, product.R_in_pairs);
  const Real* bias = product.is_one_sum ? nullptr : of_x ? product.bias_of(panel) : product.recurrent_bias_of(panel);
  const Real* weights = of_x ? product.w_panel(panel, length) : product.r_panel(panel, length);
  return {rows, count, weights, product.vectors_in(panel), product.piece, length, bias, out, stride};
}

template <class Real>
void Recurrence<Real>::multiply(std::size_t d, const Product<Real>& product, std::size_t panel, Side side,
                                const FactorRows<Real>& rows, std::size_t first, std::size_t count, Real* out,
                                std::size_t stride) const {
  Multiplication<Real> m = multiplication(product, panel, side, rows.at.data() + first, count, out, stride);
  if (packs_nothing_) {
    const auto* all = arguments_.input<Real>(side == Side::X ? CELLPROOF_W : CELLPROOF_R);
    const Real* weights = all + d * node_.gates() * node_.size.H * m.length;
    for (std::size_t row = 0; row < count; ++row)
      multiply_unpacked(kernels_, product, panel, m.rows[row], weights, m.length, m.bias, out + row * stride);
    return;
  }
  if (side == Side::X ? product.W_in_pairs : product.R_in_pairs)
    return multiply_pairs(*kernels_.pairs, m, rows.is_careful.data() + first);
  if (side == Side::H && product.R_of_parts.size() > 0) m.rows = rows.whole.data() + first;
  count == 1 ? kernels_.multiply_row(m) : kernels_.multiply(m);
}

/// Adds the product of H, or those of the parts of r * H, to the terms.
template <class Real>
void Recurrence<Real>::add_h(const Product<Real>& product, const Factors<Real>& factors, std::size_t panel,
                             const FactorRows<Real>& rows, std::size_t first, TileProduct<Real>& sum) const {
  const std::size_t length = packed_length(node_.size.H, true);
  const bool is_split = product.R_of_parts.size() > 0;
  const Real* weights = is_split ? product.r_panel_of_parts(panel) : product.r_panel(panel, length);
  for (std::size_t part = 0; part < (is_split ? parts_of_float : 1); ++part)
    sum.terms[sum.term_count++] = {rows.at.data() + first, part * factors.part_stride(), weights, length};
}

/// The products of X and of H as one sum, without the bias. Rows of which one wants care are added up one by one.
template <class Real>
void Recurrence<Real>::multiply_both(const Share& share, const Tile& tile, Real* out, std::size_t stride) {
  Direction& direction = directions_[share.direction];
  Scratch& scratch = scratch_[share.thread];
  const Product<Real>& product = direction.weights.products[tile.product];
  const std::size_t first = tile.row - share.row_begin, column = tile.panel * product.per_panel * product.lanes;
  TileProduct<Real> sum{{}, 0, tile.rows, product.vectors_in(tile.panel), product.piece, nullptr, 0, out, stride};
  if (is_ahead()) {
    sum.start = ahead(share, tile.product, tile.ahead) + column;
    sum.start_stride = product.stride();
  } else {
    const std::size_t length = packed_length(node_.size.I, true);
    sum.terms[sum.term_count++] = {scratch.x_rows.at.data() + first, 0, product.w_panel(tile.panel, length), length};
  }
  add_h(product, direction.factors, tile.panel, scratch.h_rows, first, sum);
  kernels_.pairs->multiply_terms(sum);
  for (std::size_t i = 0; i < tile.rows; ++i) {
    const bool x_is_careful = scratch.x_rows.is_careful[is_ahead() ? tile.ahead + i : first + i];
    const bool h_is_careful = scratch.h_rows.is_careful[first + i];
    if (!x_is_careful && !h_is_careful) continue;
    const Real* of_x = scratch.input.data();
    Real* of_h = out + i * stride;
    if (is_ahead())
      of_x = ahead(share, tile.product, tile.ahead + i) + column;
    else
      multiply(share.direction, product, tile.panel, Side::X, scratch.x_rows, first + i, 1, scratch.input.data(),
               stride);
    if (h_is_careful || product.R_in_pairs) {
      multiply(share.direction, product, tile.panel, Side::H, scratch.h_rows, first + i, 1, of_h, stride);
    } else {
      TileProduct<Real> alone{{}, 0, 1, sum.vectors, sum.piece, nullptr, 0, of_h, stride};
      add_h(product, direction.factors, tile.panel, scratch.h_rows, first + i, alone);
      kernels_.pairs->multiply_terms(alone);
    }
    std::transform(of_x, of_x + sum.vectors * product.lanes, of_h, of_h, std::plus<Real>());
  }
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
    const Real* of_row = state.data() + row * state_stride_;
    if (direction.weights.products[q].R_in_pairs)
      direction.factors.put_h(row, step.number, direction.weights.least_of_R, i, scratch.h_rows);
    else if (direction.factors.has_parts())
      direction.factors.put_reset(of_row, row, direction.weights.least_of_R, i, scratch.h_rows);
    else
      scratch.h_rows.at[i] = of_row;
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

  const bool without_h = tile.step == 0 && !node_.has(CELLPROOF_INITIAL_H) && direction.weights.R_is_finite;
  if (product.is_one_sum && !without_h) {
    multiply_both(share, tile, scratch.recurrent.data(), stride);
    gates.input = scratch.recurrent.data();
  } else if (is_ahead()) {
    gates.input = ahead(share, tile.product, tile.ahead) + column;
    gates.input_stride = product.stride();
  } else {
    multiply(share.direction, product, tile.panel, Side::X, scratch.x_rows, first, tile.rows, scratch.input.data(),
             stride);
    gates.input = scratch.input.data();
  }

  const Real* bias = product.recurrent_bias_of(tile.panel);
  if (product.is_one_sum || without_h) {
    gates.recurrent = product.is_one_sum ? product.bias_of(tile.panel) : bias ? bias : zeros_.data();
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

template void Recurrence<float>::multiply_ahead(const Share&, std::size_t);
template void Recurrence<double>::multiply_ahead(const Share&, std::size_t);
template void Recurrence<float>::step_product(const Share&, std::size_t, const Step&);
template void Recurrence<double>::step_product(const Share&, std::size_t, const Step&);

}  // namespace cellproof::cpu
