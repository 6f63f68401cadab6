#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::causes {

/// A fault that is contradicted more than so many times as often as it explains, in the same operators, is no cause.
inline constexpr std::ptrdiff_t most_contradictions_for_each = 8;

/// Explained cases with which operators may be the only condition, however few cases of others contradict the fault:
/// each operator has code of its own.
inline constexpr std::ptrdiff_t enough_for_operators = 24;

/// A case as a scope sees it: operator, version, type and direction.
using Coordinates = std::array<int, 4>;
Coordinates coordinates_of(const Problem& problem);

/// The cases that a fault holds for: a product of sets of operators, versions, types and directions.
class Scope {
 public:
  /// Everywhere.
  Scope() = default;
  /// The axes of Coordinates.
  enum Axis : std::size_t { OfOperator, OfVersion, OfType, OfDirection };
  Scope with(Axis axis, std::set<int> values) const;

  bool holds(const Coordinates& place) const;
  bool is_everywhere() const;
  /// Are operators its only condition?
  bool is_of_operators() const;
  /// The same for all operators.
  Scope beside_operators() const;
  /// "LSTM, version 14 and later, float16, reverse"; "" for everywhere.
  std::string text() const;

  bool operator==(const Scope&) const = default;

 private:
  friend std::optional<Scope> widest_scope(const std::vector<Coordinates>&, const std::vector<Coordinates>&,
                                           const std::vector<Coordinates>&);

  std::array<std::optional<std::set<int>>, 4> sets_;  ///< nullopt: all values
};

/// The widest scope that holds cases which a fault explains and none of those that it is contradicted by. nullopt where
/// there is none that is worth the name: too few cases for so many conditions, or far more of the same operator speak
/// against the fault and not all that fails in the scope is explained. `open`: failing cases that it leaves
/// unexplained.
std::optional<Scope> widest_scope(const std::vector<Coordinates>& explained,
                                  const std::vector<Coordinates>& contradicting, const std::vector<Coordinates>& open);

}  // namespace cellproof::causes
