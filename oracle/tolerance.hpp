#pragma once

#include <optional>

#include "spec/contract.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// |actual - expected| <= atol + rtol * |expected|, as numpy and ONNX's test runner compare.
struct HonestTolerance {
  double rtol = 0;
  double atol = 0;
};

/// A tolerance that no honest implementation under the contract (nullopt: the type's default) exceeds when `expected`
/// is the exact result under the readings, rounded to the type: from the forward sets (certified), so it grows with the
/// number of steps. For runners that can only compare with one rtol and one atol; the judge needs none. nullopt where
/// some element has no useful bound (overflow, NaN, a set wider than its value) and for DynamicQuantizeLSTM.
std::optional<HonestTolerance> honest_tolerance(const Problem& problem, const Readings& readings = {},
                                                std::optional<ContractId> contract = std::nullopt);

}  // namespace cellproof::oracle
