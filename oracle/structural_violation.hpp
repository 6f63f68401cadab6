#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spec/reason.hpp"
#include "spec/violation_kind.hpp"

namespace cellproof::oracle {

/// Something that no arithmetic excuses: an element that must have one value by the text alone, or an output that is
/// not what was asked for.
struct StructuralViolation {
  ViolationKind kind = ViolationKind::Count;  ///< or Type, Shape, Padding, State
  std::size_t output = 0;
  std::int64_t rank = 0, d = 0, b = 0,
               j = 0;                ///< rank: the processed step it is charged to; padding comes after all steps
  std::optional<std::int64_t> step;  ///< input time index
  std::vector<std::int64_t> index;
  double expected = 0, actual = 0;  ///< of Padding and State
  BrokenOutput broken;              ///< of Count, Type, Shape: what was expected, what came
};

}  // namespace cellproof::oracle
