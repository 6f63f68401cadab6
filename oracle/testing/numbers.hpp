#pragma once

#include <limits>

#include "oracle/step/arithmetic.hpp"

namespace cellproof::oracle::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Plain single precision: what contract f32 says of a case of float.
inline const Arithmetic f32 = arithmetic_of(ContractId::F32, ElementType::Float);

}  // namespace cellproof::oracle::testing
