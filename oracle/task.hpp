#pragma once

#include <optional>
#include <vector>

#include "oracle/fault_hooks.hpp"
#include "oracle/layout.hpp"
#include "oracle/observed.hpp"
#include "oracle/step/arithmetic.hpp"
#include "oracle/step/known_cells.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// One question to the judge, with everything that is the same for all its elements: what was observed, and what is
/// supposed of how it came about. The numbers are those of what was observed, which must outlive it; nothing of it may
/// be broken.
struct Task {
  Task(const Observed& seen, const Readings& readings, const Arithmetic& arithmetic, const FaultHooks& fault_hooks = {},
       KnownCells* known_cells = nullptr);
  Task(Observed&&, const Readings&, const Arithmetic&, const FaultHooks& = {}, KnownCells* = nullptr) = delete;

  const Problem& problem;
  const std::vector<double>&X, &initial_h, &initial_c;     ///< states empty where absent
  const std::vector<double>& X_radius;                     ///< empty where X is exact
  const std::optional<std::vector<double>>&Y, &Y_h, &Y_c;  ///< nullopt where the engine gave none
  Readings readings;
  Layout layout;
  Arithmetic arithmetic;
  FaultHooks fault_hooks;             ///< of the faults that are supposed, if any
  KnownCells* known_cells = nullptr;  ///< of the problem, or null
  std::optional<std::int64_t> chunk;  ///< of the chunk sizes that the readings leave open, this one

  /// The cell of a direction, with the faults that are supposed. `unit`: narrowed to it, where that is possible.
  FaultyCell cell(std::int64_t direction, std::int64_t unit = every_unit) const;
  /// The same without those that sleep in the first half of the sequence.
  FaultyCell early_cell(std::int64_t direction, std::int64_t unit = every_unit) const;
  static constexpr std::int64_t every_unit = -1;
  /// Is each unit's part of a step known from what was observed, whatever the others come to?
  bool can_look_at_one_unit() const;
  /// Has it so many products that balls for all steps would take seconds?
  bool is_dear_in_balls() const;

  /// Bounds how far the elements of X[t, b, ...] may be off; null where they are exact.
  const double* x_radius(std::int64_t t, std::int64_t b) const;
  double initial_state_of_h(std::int64_t d, std::int64_t b, std::int64_t j) const;
  double initial_state_of_c(std::int64_t d, std::int64_t b, std::int64_t j) const;
  /// Y_h or Y_c of a row that takes no step: the initial state or 0 (zero-length-state, empty-sequence-state).
  bool stateless_rows_are_zero() const;

 private:
  FaultyCell cell_with(std::int64_t direction, std::int64_t unit, bool is_late) const;
};

}  // namespace cellproof::oracle
