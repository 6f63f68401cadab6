#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/guided/resolved_node.hpp"

namespace cellproof::fuzz {

/// Arguments of a function at which implementations part ways, by the kind of trouble that lies there.
enum class BoundaryValue {
  ClipLimit,   ///< where clip begins
  Knot,        ///< where the function's pieces meet
  Saturation,  ///< where the function's value, or an exponential inside it, runs out of its type
  NearZero,    ///< where series and exact values part, and where numbers become subnormal
};

struct Target {
  BoundaryValue kind;
  double argument;
};

/// Lists what a pre-activation can be guided to, for this function and clip; never nothing. `clip`: nothing where
/// there is none.
std::vector<Target> targets_of(const ResolvedFunction& function, std::optional<float> clip);

}  // namespace cellproof::fuzz
