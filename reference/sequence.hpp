#pragma once

#include <utility>
#include <vector>

#include "reference/cell.hpp"
#include "reference/reference.hpp"
#include "reference/settings.hpp"

namespace cellproof::reference {

/// Finds the place in a tensor of what belongs to (time, batch, direction): the two layouts of the attribute `layout`.
struct Layout {
  bool batchwise;
  Dimensions size;

  Shape X() const { return batchwise ? Shape{size.N, size.T, size.I} : Shape{size.T, size.N, size.I}; }
  Shape Y() const { return batchwise ? Shape{size.N, size.T, size.D, size.H} : Shape{size.T, size.D, size.N, size.H}; }
  Shape state() const { return batchwise ? Shape{size.N, size.D, size.H} : Shape{size.D, size.N, size.H}; }

  template <class Real>
  const Real& in_X(const Numbers<Real>& X, std::int64_t t, std::int64_t n, std::int64_t k) const {
    return batchwise ? X.at({n, t, k}) : X.at({t, n, k});
  }
  template <class Real>
  Real& in_Y(Numbers<Real>& Y, std::int64_t t, std::int64_t d, std::int64_t n, std::int64_t j) const {
    return batchwise ? Y.at({n, t, d, j}) : Y.at({t, d, n, j});
  }
  template <class Real>
  Real& in_state(Numbers<Real>& state, std::int64_t d, std::int64_t n, std::int64_t j) const {
    return batchwise ? state.at({n, d, j}) : state.at({d, n, j});
  }
};

/// The input time that a sequence of this length processes as its step number `step` (from 0). The reverse direction
/// starts at the sequence's own last element (reverse-starts-at-length).
inline std::int64_t input_time(bool reversed, std::int64_t length, std::int64_t step) {
  return reversed ? length - 1 - step : step;
}

/// The states of a direction before any step, by batch index.
template <class Real>
std::vector<State<Real>> initial_states(const Layout& layout, Numbers<Real>& initial_h, Numbers<Real>& initial_c,
                                        std::int64_t d) {
  const auto& [T, N, I, H, D] = layout.size;
  const bool has_C = !initial_c.shape.empty();
  std::vector<State<Real>> states(static_cast<std::size_t>(N));
  for (std::int64_t n = 0; n < N; ++n) {
    auto& [H_state, C_state] = states[static_cast<std::size_t>(n)];
    for (std::int64_t j = 0; j < H; ++j) H_state.push_back(layout.in_state(initial_h, d, n, j));
    for (std::int64_t j = 0; has_C && j < H; ++j) C_state.push_back(layout.in_state(initial_c, d, n, j));
  }
  return states;
}

/// Drives one cell over all directions, sequences and steps. `Cell` offers
///   begin_direction(d);
///   begin_step(step, states): before any sequence takes this step; states by batch index;
///   State<Real> step(n, step, state): the next state of sequence n.
/// initial_h and initial_c have the layout's state shape; initial_c has no values where the operator has no cell state.
template <class Real, class Cell>
Trajectory<Real> run_sequences(const Settings& settings, Numbers<Real> initial_h, Numbers<Real> initial_c, Cell& cell) {
  const auto& [T, N, I, H, D] = settings.size;
  const Layout layout{settings.batchwise, settings.size};
  const bool has_C = !initial_c.shape.empty();
  Numbers<Real> Y(layout.Y()), Y_h(layout.state()), Y_c(has_C ? layout.state() : Shape{0});

  for (std::int64_t d = 0; d < D; ++d) {
    const bool reversed = settings.reversed[static_cast<std::size_t>(d)];
    std::vector<State<Real>> states = initial_states(layout, initial_h, initial_c, d);
    cell.begin_direction(d);
    for (std::int64_t step = 0; step < T; ++step) {
      cell.begin_step(step, states);
      for (std::int64_t n = 0; n < N; ++n) {
        const std::int64_t length = settings.lengths[static_cast<std::size_t>(n)];
        if (step >= length) continue;
        auto& state = states[static_cast<std::size_t>(n)];
        state = cell.step(n, step, state);
        // Y[t] belongs to the input's time t in both directions (reverse-output-order).
        const std::int64_t t = input_time(reversed, length, step);
        for (std::int64_t j = 0; j < H; ++j) layout.in_Y(Y, t, d, n, j) = state.H[static_cast<std::size_t>(j)];
      }
    }

    for (std::int64_t n = 0; n < N; ++n) {
      const std::int64_t length = settings.lengths[static_cast<std::size_t>(n)];
      auto& state = states[static_cast<std::size_t>(n)];
      if (length == 0 && settings.stateless_row_is_zero) {
        state.H.assign(state.H.size(), Real(0));
        state.C.assign(state.C.size(), Real(0));
      }
      for (std::int64_t j = 0; j < H; ++j) {
        const auto unit = static_cast<std::size_t>(j);
        layout.in_state(Y_h, d, n, j) = state.H[unit];
        if (has_C) layout.in_state(Y_c, d, n, j) = state.C[unit];
        for (std::int64_t t = length; settings.padding_carries_state && t < T; ++t) {
          layout.in_Y(Y, t, d, n, j) = state.H[unit];
        }
      }
    }
  }
  return {std::move(Y.values), std::move(Y_h.values), std::move(Y_c.values), Y.shape, Y_h.shape};
}

}  // namespace cellproof::reference
