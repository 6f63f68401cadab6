#pragma once

#include <optional>
#include <vector>

#include "oracle/broken_outputs.hpp"
#include "oracle/layout.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// One problem with one answer to it as numbers: made once, looked at under every hypothesis. Refers to both.
struct Observed {
  /// The problem must be valid.
  Observed(const Problem& problem, const Outputs& outputs);
  /// Both must outlive what is observed.
  Observed(Problem&&, const Outputs&) = delete;
  Observed(const Problem&, Outputs&&) = delete;

  const Problem& problem;
  const Outputs& outputs;
  Layout layout;
  /// Nothing but this can be said of outputs of a wrong number, type or shape.
  std::optional<StructuralViolation> broken;
  std::vector<double> X, initial_h, initial_c;     ///< states empty where absent
  std::optional<std::vector<double>> Y, Y_h, Y_c;  ///< nullopt where the engine gave none, or something is broken
};

}  // namespace cellproof::oracle
