#pragma once

#include "optimized/cuda/lane_sums.hpp"
#include "optimized/cuda/products.hpp"
#include "optimized/cuda/steps.hpp"

namespace cellproof::cuda {

/// The recurrences that a persistent kernel can take. GruBeforeReset is GruGates, then GruState.
enum class Recurrence { Lstm, GruAfterReset, GruBeforeReset, Rnn };

/// A step, its first row and how many ranks take it.
struct Moment {
  Index step, row, running;
};

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
  CELLPROOF_HD Moment at(Index step) const {
    return {step, walk.first_rows[step], walk.first_rows[step + 1] - walk.first_rows[step]};
  }
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

/// One phase of one step of a block, as groups of sums (lane_sums.hpp): group i is of the block's unit i. At most
/// rows_at_once ranks take part in a persistent kernel.
template <class Real, Phase phase, int rows = rows_at_once>
struct UnitSums {
  static constexpr int gates = sums_of(phase), closing = closing_gate_of(phase), sections = 1;
  using Part = LaneSums<Real, rows, gates>;
  using Ready = Taken<Real>;
  struct Terms {
    Real weights[gates];
    Real values[rows];
  };

  Step<Real, phase> step;
  Index running;  ///< ranks that take the step
  Index first_unit, units;
  const Real* kept;        ///< Persistent::kept_row of each row, one after the other
  const Real* multiplied;  ///< Walk::multiplied

  CELLPROOF_HD UnitSums(const Persistent<Real>& persistent, Index block, const Moment& moment, const Real* kept_weights)
      : step{persistent.walk, moment.step, moment.row},
        running(moment.running),
        first_unit(persistent.first_unit(block)),
        units(persistent.units(block)),
        kept(kept_weights),
        multiplied(persistent.walk.multiplied(phase, moment.step)) {}

  CELLPROOF_HD Index count() const { return units; }
  template <int section>
  CELLPROOF_HD Index length() const {
    return step.walk.H;
  }
  template <int section>
  CELLPROOF_HD Terms load(Index i, Index k) const {
    const Index H = step.walk.H;
    Terms terms;
    for (int g = 0; g < gates; ++g) terms.weights[g] = kept[((first_gate_of(phase) + g) * units + i) * H + k];
    // A rank that does not run is read as the last one that does, and not finished: no load waits for a decision.
    for (int q = 0; q < rows; ++q) terms.values[q] = multiplied[(q < running ? q : running - 1) * H + k];
    return terms;
  }
  template <int section>
  CELLPROOF_HD void take(Part& part, const Terms& terms) const {
    for (int q = 0; q < rows; ++q)
      for (int g = 0; g < gates; ++g) part.at(q, g) = multiply_add(terms.values[q], terms.weights[g], part.at(q, g));
  }
  CELLPROOF_HD bool finishes(int row) const { return row < running; }
  CELLPROOF_HD Ready ready(Index i, int row, int gate) const { return step.taken(row, first_unit + i, gate); }
  CELLPROOF_HD Real value(Index, int, int gate, const Ready& ready, Real sum) const {
    return gate_value<phase>(step.walk, ready, sum, gate);
  }
  CELLPROOF_HD void finish(Index i, int row, const Ready& ready, const Real* values) const {
    step.finish(row, first_unit + i, ready, values);
  }
};

}  // namespace cellproof::cuda
