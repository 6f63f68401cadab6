#pragma once

#include <string>
#include <string_view>

#include "spec/finding.hpp"

namespace cellproof {

/// "FLAKY", the verdict, or the outcome where the engine did not run the case.
std::string_view result_name(const Finding& finding);

/// "CRASHED in one call (its worker died of SIGSEGV), RAN in an identical one", or "RAN in both of two
/// identical calls"; "" for what is not flaky.
std::string both_outcomes(const Finding& finding);

/// Words for a first violation and its two values.
struct ValueNames {
  std::string_view first = "first wrong", expected = "expected", actual = "actual";
};
/// Where two answers are compared neither is expected: they are of two identical calls, or of two fillings of fresh
/// memory.
ValueNames value_names(const Judgement& judgement);

/// "expected 0.5, actual 0.75"
std::string both_values(const Judgement& judgement, const FirstViolation& first);

}  // namespace cellproof
