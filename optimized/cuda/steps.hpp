#pragma once

#include "optimized/cuda/cell.hpp"
#include "optimized/cuda/elements.hpp"
#include "optimized/cuda/host_device.hpp"

namespace cellproof::cuda {

/// What one pass over rows and hidden units computes. GRU without linear_before_reset takes two: the second multiplies
/// what the reset gate has left of H.
enum class Phase { Lstm, GruAfterReset, GruGates, GruState, Rnn };

/// Gates whose recurrent sums a phase needs, and the first of them.
CELLPROOF_HD constexpr int sums_of(Phase phase) {
  switch (phase) {
    case Phase::Lstm:
      return 4;
    case Phase::GruAfterReset:
      return 3;
    case Phase::GruGates:
      return 2;
    case Phase::GruState:
    case Phase::Rnn:
      break;
  }
  return 1;
}
CELLPROOF_HD constexpr int first_gate_of(Phase phase) {
  return phase == Phase::GruState ? 2 : 0;
}

/// One direction of a node while its steps are taken. Rows and ranks: schedule.hpp.
template <class Real>
struct Walk {
  Functions<Real> functions;
  bool input_forget;
  Index N, H, G;
  const Index* first_rows;  ///< by step
  Index first_row;          ///< that `inputs` begins with
  const Real* inputs;       ///< X * W^T: [row][G * H]
  const Real* bias;         ///< Wb, then Rb: [2][G * H]
  const Real* peepholes;    ///< P: [3][H], gates i, o, f; null where there is none
  Real* h;                  ///< [2][rank][H]: step s reads half s % 2 and writes the other
  std::uint16_t* words;     ///< the same as it is stored in 16 bits; null where nothing is multiplied with that
  Real* c;                  ///< [rank][H]
  Real* z;                  ///< [rank][H], as is the next
  Real* reset;              ///< r * H of the step before
  Real* recurrent;          ///< the recurrent sums of a phase: [rank][sums * H]
  const Index* in_y;        ///< by row
  Storage storage;
  void* Y;  ///< null where it is not wanted

  CELLPROOF_HD Real* h_before(Index step) const { return h + step % 2 * N * H; }
  CELLPROOF_HD Real* h_after(Index step) const { return h + (step + 1) % 2 * N * H; }
  CELLPROOF_HD std::uint16_t* words_before(Index step) const { return words + step % 2 * N * H; }
  CELLPROOF_HD std::uint16_t* words_after(Index step) const { return words + (step + 1) % 2 * N * H; }
  /// What a phase's recurrent weights are multiplied with: [rank][H].
  CELLPROOF_HD const Real* multiplied(Phase phase, Index step) const {
    return phase == Phase::GruState ? reset : h_before(step);
  }
};

/// One phase of one step.
template <class Real, Phase phase>
struct Step {
  static constexpr int sums = sums_of(phase);

  Walk<Real> walk;
  Index step;
  Index row;  ///< the step's first

  /// Unit i % H of rank i / H, its recurrent sums from memory.
  CELLPROOF_HD void operator()(Index i) const {
    const Index rank = i / walk.H, unit = i % walk.H;
    Real recurrent[sums];
    for (int g = 0; g < sums; ++g) recurrent[g] = walk.recurrent[(rank * sums + g) * walk.H + unit];
    finish(rank, unit, recurrent);
  }

  CELLPROOF_HD Real of_input(Index rank, Index unit, int gate) const {
    const Index width = walk.G * walk.H, column = gate * walk.H + unit;
    return walk.inputs[(row - walk.first_row + rank) * width + column] + walk.bias[column];
  }
  CELLPROOF_HD Real of_state(Index unit, int gate, Real sum) const {
    return sum + walk.bias[(walk.G + gate) * walk.H + unit];
  }

  /// `recurrent`: the sums of the phase's gates at this unit.
  CELLPROOF_HD void finish(Index rank, Index unit, const Real* recurrent) const {
    const Index at = rank * walk.H + unit;
    const Functions<Real>& functions = walk.functions;
    const auto argument = [&](int gate, Real sum) { return of_input(rank, unit, gate) + of_state(unit, gate, sum); };
    if constexpr (phase == Phase::Lstm) {
      Peepholes<Real> peepholes;
      if (walk.peepholes != nullptr)
        peepholes = {walk.peepholes[unit], walk.peepholes[walk.H + unit], walk.peepholes[2 * walk.H + unit]};
      const LstmState<Real> state = lstm_cell<Real>(
          functions,
          {argument(0, recurrent[0]), argument(1, recurrent[1]), argument(2, recurrent[2]), argument(3, recurrent[3])},
          walk.peepholes == nullptr ? nullptr : &peepholes, walk.input_forget, walk.c[at]);
      walk.c[at] = state.c;
      give(rank, unit, state.h);
    } else if constexpr (phase == Phase::GruAfterReset) {
      const Real z = functions.apply(functions.f, argument(0, recurrent[0]));
      const Real r = functions.apply(functions.f, argument(1, recurrent[1]));
      const Real candidate =
          functions.apply(functions.g, of_input(rank, unit, 2) + r * of_state(unit, 2, recurrent[2]));
      give(rank, unit, gru_state(z, candidate, walk.h_before(step)[at]));
    } else if constexpr (phase == Phase::GruGates) {
      walk.z[at] = functions.apply(functions.f, argument(0, recurrent[0]));
      walk.reset[at] = functions.apply(functions.f, argument(1, recurrent[1])) * walk.h_before(step)[at];
    } else if constexpr (phase == Phase::GruState) {
      const Real candidate = functions.apply(functions.g, argument(2, recurrent[0]));
      give(rank, unit, gru_state(walk.z[at], candidate, walk.h_before(step)[at]));
    } else {
      give(rank, unit, functions.apply(functions.f, argument(0, recurrent[0])));
    }
  }

  CELLPROOF_HD void give(Index rank, Index unit, Real h) const {
    walk.h_after(step)[rank * walk.H + unit] = h;
    if (walk.words != nullptr) store(walk.storage, walk.words_after(step), rank * walk.H + unit, h);
    if (walk.Y != nullptr) store(walk.storage, walk.Y, walk.in_y[row + rank] + unit, h);
  }
};

}  // namespace cellproof::cuda
