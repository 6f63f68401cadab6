#pragma once

#include "optimized/cuda/lane_sums.hpp"
#include "optimized/cuda/products.hpp"
#include "optimized/cuda/steps.hpp"

namespace cellproof::cuda {

/// One direction of a node of a single step and at most rows_at_once sequences. Everything is read as it is stored and
/// written where ONNX has it, so that no launch but this one is needed.
template <class Real>
struct SingleStep {
  Walk<Real> walk;  ///< of its memory only biases, peepholes, z and reset
  const void* X;
  const Index* in_x;  ///< by rank, of those that take the step
  Index I;
  const void* W;  ///< [G * H][I]
  const void* R;  ///< [G * H][H]
  const void* initial_h;
  const void* initial_c;  ///< both null where there is none: zeros
  const Index* in_state;  ///< by rank
  void* Y_h;
  void* Y_c;      ///< both null where they are not wanted
  Index running;  ///< ranks that take the step
};

/// A phase of it in one direction or in both, as groups of sums (lane_sums.hpp): group i is of unit i % H of direction
/// i / H. A sum is that of X and of H together, but where the reset gate comes between them: then what X gives the last
/// gate is a place of its own, before that of H.
template <class Real, Phase phase, Storage storage, int rows>
struct SingleStepSums {
  static constexpr bool is_apart = phase == Phase::GruAfterReset;
  static constexpr int products = sums_of(phase), gates = products + (is_apart ? 1 : 0), sections = 2;
  static constexpr int closing = closing_gate_of(phase), terms_of_load = 1;
  static constexpr int of_x = 0, of_h = 1;  ///< sections
  using Part = LaneSums<Real, rows, gates>;
  using Ready = Taken<Real>;
  struct Terms {
    Real weights[products];
    Real values[rows];
  };

  SingleStep<Real> of[2];
  Index directions;

  CELLPROOF_HD const SingleStep<Real>& of_group(Index i) const { return i < of[0].walk.H ? of[0] : of[1]; }
  CELLPROOF_HD Index unit_of(Index i) const { return i < of[0].walk.H ? i : i - of[0].walk.H; }
  CELLPROOF_HD Index count() const { return directions * of[0].walk.H; }

  /// Returns the length of the sums; 0 where nobody takes the step: there is no row of X to be read.
  template <int section>
  CELLPROOF_HD Index length() const {
    if (of[0].running == 0) return 0;
    return section == of_x ? of[0].I : of[0].walk.H;
  }
  template <int section>
  CELLPROOF_HD Terms load(Index i, Index k) const {
    const SingleStep<Real>& own = of_group(i);
    const Index H = own.walk.H, terms_of_sum = section == of_x ? own.I : H;
    const void* const matrix = section == of_x ? own.W : own.R;
    Terms terms;
    for (int g = 0; g < products; ++g)
      terms.weights[g] = load_as(matrix, ((first_gate_of(phase) + g) * H + unit_of(i)) * terms_of_sum + k);
    for (int q = 0; q < rows; ++q) {
      // A rank that does not run is read as the last one that does, and not finished.
      const Index rank = q < own.running ? q : own.running - 1;
      if constexpr (section == of_x) {
        terms.values[q] = load_as(own.X, own.in_x[rank] + k);
      } else if constexpr (phase == Phase::GruState) {
        terms.values[q] = own.walk.reset[rank * H + k];
      } else {
        terms.values[q] = own.initial_h == nullptr ? Real(0) : load_as(own.initial_h, own.in_state[rank] + k);
      }
    }
    return terms;
  }
  template <int section>
  CELLPROOF_HD void take(Part& part, const Terms& terms) const {
    for (int q = 0; q < rows; ++q)
      for (int g = 0; g < products; ++g) {
        const int place = is_apart && section == of_h && g == 2 ? 3 : g;
        part.at(q, place) = multiply_add(terms.values[q], terms.weights[g], part.at(q, place));
      }
  }

  /// Those without a step hand their initial state on.
  CELLPROOF_HD bool finishes(int row) const { return row < of[0].walk.N; }
  CELLPROOF_HD Ready ready(Index i, int row, int place) const {
    const SingleStep<Real>& own = of_group(i);
    const Index unit = unit_of(i), at = own.in_state[row] + unit;
    Ready ready = taken_of_unit<phase>(own.walk, unit, gate_of(place));
    if constexpr (phase == Phase::Lstm) {
      ready.before = own.initial_c == nullptr ? Real(0) : load_as(own.initial_c, at);
    } else if constexpr (phase != Phase::Rnn) {
      ready.before = initial(own, at);
    }
    if constexpr (phase == Phase::GruState) ready.z = row < own.running ? own.walk.z[row * own.walk.H + unit] : Real(0);
    return ready;
  }
  CELLPROOF_HD Real value(Index i, int row, int place, const Ready& ready, Real sum) const {
    const SingleStep<Real>& own = of_group(i);
    const bool is_of_x = is_apart && place == closing;
    if (row >= own.running || is_of_x) return sum;
    return gate_value<phase>(own.walk, ready, sum, gate_of(place));
  }
  CELLPROOF_HD void finish(Index i, int row, const Ready& ready, const Real* places) const {
    const SingleStep<Real>& own = of_group(i);
    const Index unit = unit_of(i), at = own.in_state[row] + unit;
    if (row >= own.running) {
      if constexpr (phase == Phase::GruGates) return;
      return give(own, at, {initial(own, at), ready.before});
    }
    Ready taken = ready;
    Real values[products];
    for (int g = 0; g < products; ++g) values[g] = places[g];
    if constexpr (is_apart) {
      taken.input = places[closing];
      values[closing] = places[closing + 1];
    }
    const Given<Real> given = closed<phase>(own.walk, taken, values);
    if constexpr (phase == Phase::GruGates) {
      own.walk.z[row * own.walk.H + unit] = given.first;
      own.walk.reset[row * own.walk.H + unit] = given.second;
    } else {
      if (own.walk.Y != nullptr) store(storage, own.walk.Y, own.walk.in_y[row] + unit, given.first);
      give(own, at, given);
    }
  }

 private:
  static CELLPROOF_HD int gate_of(int place) { return place < products ? place : products - 1; }
  static CELLPROOF_HD Real load_as(const void* data, Index at) {
    return cellproof::cuda::load<Real>(storage, data, at);
  }
  static CELLPROOF_HD Real initial(const SingleStep<Real>& own, Index at) {
    return own.initial_h == nullptr ? Real(0) : load_as(own.initial_h, at);
  }
  static CELLPROOF_HD void give(const SingleStep<Real>& own, Index at, const Given<Real>& state) {
    if (own.Y_h != nullptr) store(storage, own.Y_h, at, state.first);
    if (own.Y_c != nullptr) store(storage, own.Y_c, at, state.second);
  }
};

}  // namespace cellproof::cuda
