#pragma once

#include "optimized/cuda/exchange.hpp"
#include "optimized/cuda/kept_rows.hpp"
#include "optimized/cuda/lane_sums.hpp"
#include "optimized/cuda/products.hpp"
#include "optimized/cuda/steps.hpp"

namespace cellproof::cuda {

/// The recurrences that a persistent kernel can take. GruBeforeReset is GruGates, then GruState.
enum class Recurrence { Lstm, GruAfterReset, GruBeforeReset, Rnn };

/// Calls work(std::integral_constant) of a recurrence that is known only now.
template <class Work>
auto with_recurrence(Recurrence recurrence, Work work) {
  switch (recurrence) {
    case Recurrence::Lstm:
      return work(std::integral_constant<Recurrence, Recurrence::Lstm>{});
    case Recurrence::GruAfterReset:
      return work(std::integral_constant<Recurrence, Recurrence::GruAfterReset>{});
    case Recurrence::GruBeforeReset:
      return work(std::integral_constant<Recurrence, Recurrence::GruBeforeReset>{});
    case Recurrence::Rnn:
      break;
  }
  return work(std::integral_constant<Recurrence, Recurrence::Rnn>{});
}

/// A step, its first row and how many ranks take it.
struct Moment {
  Index step, row, running;
};

/// Facts that decide how a persistent kernel can be made.
struct PersistentShape {
  Recurrence recurrence;
  Storage storage;
  Index N, H, G, directions;
  bool exchanges;  ///< its blocks exchange flagged words (exchange.hpp)
};

/// All steps of a direction in one kernel: each block keeps the rows of R of its own units. After each phase a block
/// waits for the numbers that it needs, or all blocks wait for each other.
template <Storage storage>
struct Persistent {
  using Row = Kept<storage>;

  Walk<RealOf<storage>> walk;
  const typename Row::Element* R;  ///< [G * H][H]
  Index begin, end;                ///< steps
  Index blocks;                    ///< at most H
  Exchange<RealOf<storage>> exchange;

  CELLPROOF_HD Index first_unit(Index block) const { return walk.H * block / blocks; }
  CELLPROOF_HD Index units(Index block) const { return first_unit(block + 1) - first_unit(block); }
  CELLPROOF_HD Moment at(Index step) const {
    return {step, walk.first_rows[step], walk.first_rows[step + 1] - walk.first_rows[step]};
  }
  /// Rows of R that a block keeps: [gate][unit].
  CELLPROOF_HD Index kept_rows(Index block) const { return walk.G * units(block); }
  CELLPROOF_HD const typename Row::Element* kept_row(Index block, Index row) const {
    const Index gate = row / units(block), unit = row % units(block);
    return R + (gate * walk.H + first_unit(block) + unit) * walk.H;
  }
};

/// Numbers that a block gathers at a time; there is room for two phases, so that a warp may go ahead of others.
inline constexpr Index gatherings = 2;

/// Bytes that a block keeps at most, of R and of gathered numbers, where so many share the units.
template <Storage storage>
std::size_t bytes_kept(const PersistentShape& shape, Index blocks) {
  const Index H = shape.H, words = shape.G * ((H + blocks - 1) / blocks) * Kept<storage>::words_of_row(H);
  const Index gathered = shape.exchanges ? gatherings * shape.N * H : 0;
  return static_cast<std::size_t>(words) * sizeof(typename Kept<storage>::Word) +
         static_cast<std::size_t>(gathered) * sizeof(RealOf<storage>);
}

/// One direction, or both at once: the first blocks are the first direction's.
template <Storage storage>
struct PersistentDirections {
  Persistent<storage> of[2];
  Index directions;

  CELLPROOF_HD Index blocks() const { return of[0].blocks * directions; }
  CELLPROOF_HD const Persistent<storage>& of_block(Index block) const { return block < of[0].blocks ? of[0] : of[1]; }
  /// Its number within its direction.
  CELLPROOF_HD Index within(Index block) const { return block < of[0].blocks ? block : block - of[0].blocks; }
};

/// One phase of one step of a block, as groups of sums (lane_sums.hpp): group i is of the block's unit i. At most
/// rows_at_once ranks take part in a persistent kernel.
template <Storage storage, Phase phase, int rows = rows_at_once>
struct UnitSums {
  using Row = Kept<storage>;
  using Real = RealOf<storage>;
  static constexpr int gates = sums_of(phase), closing = closing_gate_of(phase), sections = 1,
                       terms_of_load = Row::terms;
  using Part = LaneSums<Real, rows, gates>;
  using Ready = Taken<Real>;
  struct Terms {
    typename Row::Word weights[gates];
    Real values[terms_of_load][rows];
    bool are_there[terms_of_load];
  };

  Step<Real, phase> step;
  Index running;  ///< ranks that take the step
  Index first_unit, units;
  const typename Row::Word* kept;  ///< Persistent::kept_row of each row, one after the other
  const Real* multiplied;          ///< Walk::multiplied, or what was gathered of it
  Exchange<Real> exchange;

  CELLPROOF_HD UnitSums(const Persistent<storage>& persistent, Index block, const Moment& moment,
                        const typename Row::Word* kept_weights, const Real* multiplied_numbers,
                        const Exchange<Real>& published)
      : step{persistent.walk, moment.step, moment.row},
        running(moment.running),
        first_unit(persistent.first_unit(block)),
        units(persistent.units(block)),
        kept(kept_weights),
        multiplied(multiplied_numbers),
        exchange(published) {}

  CELLPROOF_HD Index count() const { return units; }
  template <int section>
  CELLPROOF_HD Index length() const {
    return step.walk.H;
  }
  template <int section>
  CELLPROOF_HD Terms load(Index i, Index k) const {
    const Index H = step.walk.H, words = Row::words_of_row(H), word = Row::word_of(k);
    Terms terms;
    for (int g = 0; g < gates; ++g) terms.weights[g] = kept[((first_gate_of(phase) + g) * units + i) * words + word];
    for (int t = 0; t < terms_of_load; ++t) {
      terms.are_there[t] = t == 0 || k + t * lanes < H;
      const Index at = terms.are_there[t] ? k + t * lanes : k;
      // A rank that does not run is read as the last one that does, and not finished: no load waits for a decision.
      for (int q = 0; q < rows; ++q) terms.values[t][q] = multiplied[(q < running ? q : running - 1) * H + at];
    }
    return terms;
  }
  template <int section>
  CELLPROOF_HD void take(Part& part, const Terms& terms) const {
    for (int t = 0; t < terms_of_load; ++t) {
      if (!terms.are_there[t]) continue;
      for (int q = 0; q < rows; ++q)
        for (int g = 0; g < gates; ++g)
          part.at(q, g) = multiply_add(terms.values[t][q], Row::term(terms.weights[g], t), part.at(q, g));
    }
  }
  CELLPROOF_HD bool finishes(int row) const { return row < running; }
  CELLPROOF_HD Ready ready(Index i, int row, int gate) const { return step.taken(row, first_unit + i, gate); }
  CELLPROOF_HD Real value(Index, int, int gate, const Ready& ready, Real sum) const {
    return gate_value<phase>(step.walk, ready, sum, gate);
  }
  CELLPROOF_HD void finish(Index i, int row, const Ready& ready, const Real* values) const {
    const Given<Real> given = closed<phase>(step.walk, ready, values);
    const Index unit = first_unit + i;
    // First of all: other blocks wait for it.
    if (exchange.words != nullptr)
      exchange.publish(phase, step.step, row * step.walk.H + unit,
                       phase == Phase::GruGates ? given.second : given.first);
    step.keep(row, unit, given);
  }
};

}  // namespace cellproof::cuda
