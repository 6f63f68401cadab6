#pragma once

#include <optional>

#include "spec/problem.hpp"

namespace cellproof::oracle {

/// |actual - expected| <= atol + rtol * |expected|, as numpy and ONNX's test runner compare.
struct HonestTolerance {
  double rtol = 0;
  double atol = 0;
};

/// A tolerance that no honest implementation under the type's default contract exceeds when `expected` is the exact
/// result rounded to the type: from the forward sets (certified), so it grows with the number of steps. For runners
/// that can only compare with one rtol and one atol; the judge needs none. nullopt where some element has no useful
/// bound (overflow, NaN, a set wider than its value) and for DynamicQuantizeLSTM.
std::optional<HonestTolerance> honest_tolerance(const Problem& problem);

}  // namespace cellproof::oracle
