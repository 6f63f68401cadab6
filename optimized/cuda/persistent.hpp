#pragma once

#include "optimized/cuda/products.hpp"
#include "optimized/cuda/steps.hpp"

namespace cellproof::cuda {

/// The recurrences that a persistent kernel can take. GruBeforeReset is GruGates, then GruState.
enum class Recurrence { Lstm, GruAfterReset, GruBeforeReset, Rnn };

/// All steps of a direction in one kernel: each block keeps the rows of R of its own units, and all blocks wait for
/// each other after each phase.
template <class Real>
struct Persistent {
  Walk<Real> walk;
  const Real* R;     ///< [G * H][H]
  Index begin, end;  ///< steps
  Index blocks;      ///< at most H

  CELLPROOF_HD Index first_unit(Index block) const { return walk.H * block / blocks; }
  CELLPROOF_HD Index units(Index block) const { return first_unit(block + 1) - first_unit(block); }
  /// Elements of R that a block keeps: [gate][unit][k].
  CELLPROOF_HD Index kept(Index block) const { return walk.G * units(block) * walk.H; }
  CELLPROOF_HD Index most_kept() const { return walk.G * ((walk.H + blocks - 1) / blocks) * walk.H; }
  CELLPROOF_HD Real weight(Index block, Index i) const {
    const Index k = i % walk.H, unit = i / walk.H % units(block), gate = i / walk.H / units(block);
    return R[(gate * walk.H + first_unit(block) + unit) * walk.H + k];
  }
};

/// One direction, or both at once: the first blocks are the first direction's.
template <class Real>
struct PersistentDirections {
  Persistent<Real> of[2];
  Index directions;

  CELLPROOF_HD Index blocks() const { return of[0].blocks * directions; }
  CELLPROOF_HD const Persistent<Real>& of_block(Index block) const { return block < of[0].blocks ? of[0] : of[1]; }
  /// Its number within its direction.
  CELLPROOF_HD Index within(Index block) const { return block < of[0].blocks ? block : block - of[0].blocks; }
};

/// One phase of one step of a block, as sums (products.hpp): sum i is of one unit, up to rows_at_once ranks, and all
/// the phase's gates.
template <class Real, Phase phase>
struct UnitSums {
  static constexpr int gates = sums_of(phase);

  Step<Real, phase> step;
  Index running;  ///< ranks that take the step
  Index first_unit, units;
  const Real* kept;  ///< Persistent::kept

  CELLPROOF_HD UnitSums(const Persistent<Real>& persistent, Index block, Index s, const Real* kept_weights)
      : step{persistent.walk, s, persistent.walk.first_rows[s]},
        running(persistent.walk.first_rows[s + 1] - persistent.walk.first_rows[s]),
        first_unit(persistent.first_unit(block)),
        units(persistent.units(block)),
        kept(kept_weights) {}

  struct Part {
    Real values[rows_at_once][gates] = {};
    CELLPROOF_HD void merge(const Part& other) {
      for (int q = 0; q < rows_at_once; ++q)
        for (int g = 0; g < gates; ++g) values[q][g] += other.values[q][g];
    }
  };

  CELLPROOF_HD Index count() const { return units * ((running + rows_at_once - 1) / rows_at_once); }
  CELLPROOF_HD Index length() const { return step.walk.H; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const Index H = step.walk.H, first = i / units * rows_at_once;
    const Real* multiplied = step.walk.multiplied(phase, step.step);
    Real weights[gates];
    for (int g = 0; g < gates; ++g) weights[g] = kept[((first_gate_of(phase) + g) * units + i % units) * H + k];
    for (int q = 0; q < rows_at_once; ++q) {
      if (first + q >= running) break;
      const Real value = multiplied[(first + q) * H + k];
      for (int g = 0; g < gates; ++g) part.values[q][g] = multiply_add(value, weights[g], part.values[q][g]);
    }
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / units * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < running) step.finish(first + q, first_unit + i % units, part.values[q]);
  }
};

}  // namespace cellproof::cuda
