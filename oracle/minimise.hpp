#pragma once

#include <functional>

#include "spec/case.hpp"

namespace cellproof::oracle {

/// Does a case still show what it is minimised for?
using StillFails = std::function<bool(const Case&)>;

/// Axis by axis, in table order and again until nothing changes, each value that is not its axis's default is replaced
/// by it where the case still fails with it. What is not default in the result (axis_values) is the guilty set: every
/// single value of it is needed. Deterministic; asks `still_fails` only of cases that differ from the last one.
Case minimise(Case c, const StillFails& still_fails);

/// Each of T, N, I and H that can be is made 1. Smaller to read, but no simpler: it is not asked what is guilty.
Case shrink(Case c, const StillFails& still_fails);

}  // namespace cellproof::oracle
