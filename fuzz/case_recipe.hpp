#pragma once

#include <cstdint>
#include <vector>

#include "spec/operator.hpp"

namespace cellproof::fuzz {

/// One value given to one axis: the numbers are taken modulo what there is.
struct AxisStep {
  std::uint32_t axis = 0;
  std::uint32_t value = 0;
  friend bool operator==(const AxisStep&, const AxisStep&) = default;
};

/// The sizes of a case, by ONNX's letters.
struct Sizes {
  std::int64_t T = 3;
  std::int64_t N = 2;
  std::int64_t I = 3;
  std::int64_t H = 4;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

/// Recipe of a valid case: a plain one of a version and of some sizes, changed step by step. Every recipe makes a
/// case, small_case() one of all that a case can be, case_of() (law_case.hpp) one for laws.
struct CaseRecipe {
  OperatorVersion version;
  std::uint64_t seed = 0;
  Sizes sizes;
  std::vector<AxisStep> steps;
  friend bool operator==(const CaseRecipe&, const CaseRecipe&) = default;
};

}  // namespace cellproof::fuzz
