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
  std::uint16_t* split;  ///< the same as bfloat16 terms: [term][running rank][H]; null where it is multiplied in float
  Index parts;           ///< bfloat16 parts of R with which the terms are multiplied: [part][H] columns
  Real* recurrent;       ///< the recurrent sums of a phase: [rank][sums * H]
  const Index* in_y;     ///< by row
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

/// What a unit of a rank takes from memory besides its recurrent sums. It does not wait for them, so that it can be
/// asked for before they are made; nor is anything added up here, which would wait for it.
template <class Real, Phase phase>
struct Taken {
  Real inputs[sums_of(phase)] = {};        ///< what X gives the phase's gates
  Real input_biases[sums_of(phase)] = {};  ///< Wb
  Real biases[sums_of(phase)] = {};        ///< Rb
  Real before = 0;                         ///< LSTM: the cell; GRU: H; each before the step
  Real z = 0;                              ///< GruState
  Peepholes<Real> peepholes = {};

  CELLPROOF_HD Real of_input(int gate) const { return inputs[gate] + input_biases[gate]; }
};

/// Lstm: H and the cell. GruGates: z and r * H. All others: H.
template <class Real>
struct Given {
  Real first = 0, second = 0;
};

/// One phase at one unit. `recurrent`: the sums of the phase's gates there.
template <Phase phase, class Real>
CELLPROOF_HD Given<Real> computed(const Walk<Real>& walk, const Taken<Real, phase>& taken, const Real* recurrent) {
  const Functions<Real>& functions = walk.functions;
  const auto argument = [&](int gate) { return taken.of_input(gate) + (recurrent[gate] + taken.biases[gate]); };
  if constexpr (phase == Phase::Lstm) {
    const LstmState<Real> state =
        lstm_cell<Real>(functions, {argument(0), argument(1), argument(2), argument(3)}, taken.peepholes,
                        walk.peepholes != nullptr, walk.input_forget, taken.before);
    return {state.h, state.c};
  } else if constexpr (phase == Phase::GruAfterReset) {
    const Real z = functions.apply(functions.f, argument(0));
    const Real r = functions.apply(functions.f, argument(1));
    const Real candidate = functions.apply(functions.g, taken.of_input(2) + r * (recurrent[2] + taken.biases[2]));
    return {gru_state(z, candidate, taken.before), 0};
  } else if constexpr (phase == Phase::GruGates) {
    const Real z = functions.apply(functions.f, argument(0));
    return {z, functions.apply(functions.f, argument(1)) * taken.before};
  } else if constexpr (phase == Phase::GruState) {
    return {gru_state(taken.z, functions.apply(functions.g, argument(0)), taken.before), 0};
  } else {
    return {functions.apply(functions.f, argument(0)), 0};
  }
}

/// The biases and peepholes of a unit.
template <Phase phase, class Real>
CELLPROOF_HD Taken<Real, phase> taken_of_unit(const Walk<Real>& walk, Index unit) {
  Taken<Real, phase> taken;
  Index gate = first_gate_of(phase);
  for (Real& bias : taken.input_biases) bias = walk.bias[gate++ * walk.H + unit];
  gate = walk.G + first_gate_of(phase);
  for (Real& bias : taken.biases) bias = walk.bias[gate++ * walk.H + unit];
  if (phase == Phase::Lstm && walk.peepholes != nullptr)
    taken.peepholes = {walk.peepholes[unit], walk.peepholes[walk.H + unit], walk.peepholes[2 * walk.H + unit]};
  return taken;
}

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
    if constexpr (phase == Phase::GruState)
      if (walk.split != nullptr) recurrent[0] = sum_of_terms(rank, unit);
    finish(rank, unit, taken(rank, unit), recurrent);
  }

  /// The products of all terms with all parts, the smallest first. Where the leading ones come to no finite number,
  /// that is the sum: what is infinite is so in its first term or part, and the zeros behind it would make a NaN of it.
  CELLPROOF_HD Real sum_of_terms(Index rank, Index unit) const {
    const Index running = walk.first_rows[step + 1] - walk.first_rows[step];
    const auto product = [&](Index term, Index part) {
      return walk.recurrent[((term * running + rank) * walk.parts + part) * walk.H + unit];
    };
    const Real leading = product(0, 0);
    if (!(leading - leading == 0)) return leading;  // NOLINT(misc-redundant-expression): NaN or infinite
    Real sum = 0;
    for (Index term = split_terms - 1; term >= 0; --term)
      for (Index part = walk.parts - 1; part >= 0; --part) sum += product(term, part);
    return sum;
  }

  CELLPROOF_HD Taken<Real, phase> taken(Index rank, Index unit) const {
    Taken<Real, phase> taken = taken_of_unit<phase>(walk, unit);
    const Real* inputs = walk.inputs + (row - walk.first_row + rank) * walk.G * walk.H;
    for (int g = 0; g < sums; ++g) taken.inputs[g] = inputs[(first_gate_of(phase) + g) * walk.H + unit];
    const Index at = rank * walk.H + unit;
    if constexpr (phase == Phase::Lstm) {
      taken.before = walk.c[at];
    } else if constexpr (phase != Phase::Rnn) {
      taken.before = walk.h_before(step)[at];
    }
    if constexpr (phase == Phase::GruState) taken.z = walk.z[at];
    return taken;
  }

  /// `recurrent`: the sums of the phase's gates at this unit.
  CELLPROOF_HD void finish(Index rank, Index unit, const Taken<Real, phase>& taken, const Real* recurrent) const {
    const Index at = rank * walk.H + unit;
    const Given<Real> given = computed<phase>(walk, taken, recurrent);
    if constexpr (phase == Phase::GruGates) {
      walk.z[at] = given.first;
      if (walk.split == nullptr) {
        walk.reset[at] = given.second;
        return;
      }
      const Index running = walk.first_rows[step + 1] - walk.first_rows[step];
      float rest = static_cast<float>(given.second);
      for (Index term = 0; term < split_terms; ++term)
        walk.split[(term * running + rank) * walk.H + unit] = next_bfloat(rest);
    } else {
      if constexpr (phase == Phase::Lstm) walk.c[at] = given.second;
      walk.h_after(step)[at] = given.first;
      if (walk.words != nullptr) store(walk.storage, walk.words_after(step), at, given.first);
      if (walk.Y != nullptr) store(walk.storage, walk.Y, walk.in_y[row + rank] + unit, given.first);
    }
  }
};

}  // namespace cellproof::cuda
