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
  /// Ranks that take a step.
  CELLPROOF_HD Index running(Index step) const { return walk.first_rows[step + 1] - walk.first_rows[step]; }
  /// Rows of R that a block keeps, H elements each: [gate][unit].
  CELLPROOF_HD Index kept_rows(Index block) const { return walk.G * units(block); }
  CELLPROOF_HD Index most_kept() const { return walk.G * ((walk.H + blocks - 1) / blocks) * walk.H; }
  CELLPROOF_HD const Real* kept_row(Index block, Index row) const {
    const Index gate = row / units(block), unit = row % units(block);
    return R + (gate * walk.H + first_unit(block) + unit) * walk.H;
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

/// One phase of one step of a block, as sums (products.hpp): sum i is of one unit, up to `rows` ranks, and all the
/// phase's gates.
template <class Real, Phase phase, int rows = rows_at_once>
struct UnitSums {
  static constexpr int gates = sums_of(phase);

  Step<Real, phase> step;
  Index running;  ///< ranks that take the step
  Index first_unit, units;
  const Real* kept;  ///< Persistent::kept_row of each row, one after the other

  CELLPROOF_HD UnitSums(const Persistent<Real>& persistent, Index block, Index s, const Real* kept_weights)
      : step{persistent.walk, s, persistent.walk.first_rows[s]},
        running(persistent.running(s)),
        first_unit(persistent.first_unit(block)),
        units(persistent.units(block)),
        kept(kept_weights) {}

  struct Part {
    Real values[rows][gates] = {};
    CELLPROOF_HD void merge(const Part& other) {
      for (int q = 0; q < rows; ++q)
        for (int g = 0; g < gates; ++g) values[q][g] += other.values[q][g];
    }
  };

  CELLPROOF_HD Index count() const { return units * ((running + rows - 1) / rows); }
  CELLPROOF_HD Index length() const { return step.walk.H; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const Index H = step.walk.H, first = i / units * rows;
    const Real* multiplied = step.walk.multiplied(phase, step.step);
    Real weights[gates];
    for (int g = 0; g < gates; ++g) weights[g] = kept[((first_gate_of(phase) + g) * units + i % units) * H + k];
    for (int q = 0; q < rows; ++q) {
      // A rank that does not run is read as the last one that does, and not finished: no load waits for a decision.
      const Index rank = first + q < running ? first + q : running - 1;
      const Real value = multiplied[rank * H + k];
      for (int g = 0; g < gates; ++g) part.values[q][g] = multiply_add(value, weights[g], part.values[q][g]);
    }
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / units * rows;
    for (int q = 0; q < rows; ++q)
      if (first + q < running) step.finish(first + q, first_unit + i % units, part.values[q]);
  }
};

}  // namespace cellproof::cuda
