#pragma once

#include <optional>
#include <vector>

#include "oracle/broken_outputs.hpp"
#include "oracle/layout.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// One problem with one answer to it as numbers: made once, looked at under every hypothesis. Refers to both.
struct Observed {
  /// The problem must be valid. `X_radius`: as below.
  Observed(const Problem& problem, const Outputs& outputs, std::vector<double> X_radius = {});
  /// Both must outlive what is observed.
  Observed(Problem&&, const Outputs&, std::vector<double> = {}) = delete;
  Observed(const Problem&, Outputs&&, std::vector<double> = {}) = delete;

  const Problem& problem;
  const Outputs& outputs;
  Layout layout;
  /// Nothing but this can be said of outputs of a wrong number, type or shape.
  std::optional<StructuralViolation> broken;
  std::vector<double> X, initial_h, initial_c;  ///< states empty where absent
  /// Bounds how far X may be off, element by element, where another node made it, unseen; empty where X is exact.
  std::vector<double> X_radius;
  std::optional<std::vector<double>> Y, Y_h, Y_c;  ///< nullopt where the engine gave none, or something is broken
};

}  // namespace cellproof::oracle
