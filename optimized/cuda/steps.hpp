#pragma once

#include "optimized/cuda/cell.hpp"
#include "optimized/cuda/elements.hpp"
#include "optimized/cuda/host_device.hpp"

namespace cellproof::cuda {

/// One pass over rows and hidden units. GRU without linear_before_reset takes two: the second multiplies
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

/// LSTM's gates in ONNX's order; P has those of the first three.
inline constexpr int gate_i = 0, gate_o = 1, gate_f = 2, gate_c = 3;

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
  /// Gives what a phase's recurrent weights are multiplied with: [rank][H].
  CELLPROOF_HD const Real* multiplied(Phase phase, Index step) const {
    return phase == Phase::GruState ? reset : h_before(step);
  }
};

/// The gate that a unit is closed with: what it takes from memory, and the values of all gates, give the unit's state.
CELLPROOF_HD constexpr int closing_gate_of(Phase phase) {
  return phase == Phase::Lstm ? gate_o : phase == Phase::GruAfterReset ? 2 : 0;
}

/// Terms that a gate of a unit takes from memory besides its recurrent sum. It does not wait for that, so that it can
/// be asked for before the sum is made; nor is anything added up here, which would wait for it.
template <class Real>
struct Taken {
  Real input = 0;       ///< what X gives
  Real input_bias = 0;  ///< Wb
  Real bias = 0;        ///< Rb
  Real peephole = 0;    ///< LSTM: the gate's weight of the cell
  Real before = 0;      ///< LSTM: the cell; GRU: H; each before the step
  Real z = 0;           ///< GruState

  CELLPROOF_HD Real of_input() const { return input + input_bias; }
};

/// Lstm: H and the cell. GruGates: z and r * H. All others: H.
template <class Real>
struct Given {
  Real first = 0, second = 0;
};

/// The value of a gate of a phase at one unit, which waits for no other gate's: the gates of a unit may be computed by
/// a lane each. What does wait is left to closed(): of LSTM's gate o with peepholes this is its argument without the
/// cell, of GruAfterReset's last gate what the reset gate multiplies. Without P the cell is not even multiplied by
/// zero, so that an infinite one stays one.
template <Phase phase, class Real>
CELLPROOF_HD Real gate_value(const Walk<Real>& walk, const Taken<Real>& taken, Real recurrent, int gate) {
  const Functions<Real>& functions = walk.functions;
  const Real of_h = recurrent + taken.bias;
  if (phase == Phase::GruAfterReset && gate == closing_gate_of(phase)) return of_h;
  Real argument = taken.of_input() + of_h;
  if (phase == Phase::Lstm && walk.peepholes != nullptr) {
    if (gate == gate_o) return argument;
    if (gate != gate_c) argument += taken.peephole * taken.before;
  }
  Activation function = functions.f;  // by value: registers have no address
  if (phase == Phase::Lstm ? gate == gate_c : phase == Phase::GruState) function = functions.g;
  return functions.apply(function, argument);
}

/// One phase at one unit: LSTM's equations from ct on, GRU's Ht. `taken`: of the closing gate. `values`: of all gates.
template <Phase phase, class Real>
CELLPROOF_HD Given<Real> closed(const Walk<Real>& walk, const Taken<Real>& taken, const Real* values) {
  const Functions<Real>& functions = walk.functions;
  if constexpr (phase == Phase::Lstm) {
    const Real f = walk.input_forget ? Real(1) - values[gate_i] : values[gate_f];
    const Real cell = f * taken.before + values[gate_i] * values[gate_c];
    const Real o = walk.peepholes == nullptr ? values[gate_o]
                                             : functions.apply(functions.f, values[gate_o] + taken.peephole * cell);
    return {o * functions.apply(functions.h, cell), cell};
  } else if constexpr (phase == Phase::GruAfterReset) {
    const Real candidate = functions.apply(functions.g, taken.of_input() + values[1] * values[2]);
    return {gru_state(values[0], candidate, taken.before), 0};
  } else if constexpr (phase == Phase::GruGates) {
    return {values[0], values[1] * taken.before};
  } else if constexpr (phase == Phase::GruState) {
    return {gru_state(taken.z, values[0], taken.before), 0};
  } else {
    return {values[0], 0};
  }
}

/// The biases and the peephole of a gate of a unit.
template <Phase phase, class Real>
CELLPROOF_HD Taken<Real> taken_of_unit(const Walk<Real>& walk, Index unit, int gate) {
  Taken<Real> taken;
  const Index at = (first_gate_of(phase) + gate) * walk.H + unit;
  taken.input_bias = walk.bias[at];
  taken.bias = walk.bias[walk.G * walk.H + at];
  if (phase == Phase::Lstm && walk.peepholes != nullptr && gate != gate_c) taken.peephole = walk.peepholes[at];
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
    Real values[sums];
    for (int g = 0; g < sums; ++g) values[g] = gate_value<phase>(walk, taken(rank, unit, g), recurrent[g], g);
    keep(rank, unit, closed<phase>(walk, taken(rank, unit, closing_gate_of(phase)), values));
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

  CELLPROOF_HD Taken<Real> taken(Index rank, Index unit, int gate) const {
    Taken<Real> taken = taken_of_unit<phase>(walk, unit, gate);
    taken.input = walk.inputs[((row - walk.first_row + rank) * walk.G + first_gate_of(phase) + gate) * walk.H + unit];
    const Index at = rank * walk.H + unit;
    if constexpr (phase == Phase::Lstm) {
      taken.before = walk.c[at];
    } else if constexpr (phase != Phase::Rnn) {
      taken.before = walk.h_before(step)[at];
    }
    if constexpr (phase == Phase::GruState) taken.z = walk.z[at];
    return taken;
  }

  /// Puts what the phase has come to at this unit where the next one, and the outputs, have it.
  CELLPROOF_HD void keep(Index rank, Index unit, const Given<Real>& given) const {
    const Index at = rank * walk.H + unit;
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
