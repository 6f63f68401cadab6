#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/operator.hpp"

namespace cellproof {

/// Fates of the tuples of axis values that valid cases of an operator can have. A tuple counts once, however many
/// cases have it: as passed where one of them passed, else as undecided where of one it is not known whether it did,
/// else as failing where one failed, else as refused where the engine refused all of them.
struct TupleCounts {
  std::size_t possible = 0;
  std::size_t passed = 0;
  std::size_t undecided = 0;
  std::size_t failing = 0;
  std::size_t refused = 0;
  std::size_t supported() const { return passed + undecided + failing; }
  std::size_t covered() const { return supported() + refused; }
  friend bool operator==(const TupleCounts&, const TupleCounts&) = default;
};

/// Share of an operator's specification that was tried on an engine, with the results.
struct Coverage {
  std::string engine;
  Operator op = Operator::LSTM;
  std::vector<std::string> axes;  ///< "version" and those of spec/axes.hpp
  TupleCounts pairs;
  TupleCounts triples;
  /// The pairs by axes: of axes a < b at index b * (b - 1) / 2 + a.
  std::vector<TupleCounts> cells;
  /// Pairs that a valid case can have whose values the engine supports: it ran a case with each.
  std::size_t pairs_of_supported = 0;
  friend bool operator==(const Coverage&, const Coverage&) = default;
};

}  // namespace cellproof
