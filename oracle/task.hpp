#pragma once

#include <optional>
#include <vector>

#include "oracle/departures.hpp"
#include "oracle/frame.hpp"
#include "oracle/judge.hpp"
#include "oracle/step/arithmetic.hpp"

namespace cellproof::oracle {

/// One question to the judge, with everything that is the same for all its elements. Outputs are nullopt where the
/// engine gave none; the others have the right type and shape.
struct Task {
  const Problem& problem;
  Readings readings;
  Frame frame;
  Arithmetic arithmetic;
  std::vector<double> X, initial_h, initial_c;  ///< states empty where absent
  std::optional<std::vector<double>> Y, Y_h, Y_c;
  Departures departures = {};  ///< of the fault that is supposed, if any

  /// The cell of a direction, with the fault that is supposed.
  Cell cell(std::int64_t direction) const;

  double initial_state_of_h(std::int64_t d, std::int64_t b, std::int64_t j) const;
  double initial_state_of_c(std::int64_t d, std::int64_t b, std::int64_t j) const;
  /// Y_h or Y_c of a row that takes no step: the initial state or 0 (zero-length-state, empty-sequence-state).
  bool stateless_rows_are_zero() const;
};

Task task_of(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, const Readings& readings,
             const Arithmetic& arithmetic, const Departures& departures = {});

/// The tensor type T of the problem's floating-point tensors: that of X. Of an invalid problem without X, that of the
/// first input that is given, or float.
ElementType value_type(const Problem& problem);

}  // namespace cellproof::oracle
