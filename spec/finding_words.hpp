#pragma once

#include <string>
#include <string_view>

#include "spec/finding.hpp"

namespace cellproof {

/// "FLAKY", the verdict, or the outcome where the engine did not run the case.
std::string_view result_name(const Finding& finding);

/// Names a kind of violation as records and signatures do: "value", or the finding's law, the first rule that its case
/// breaks, its outcome.
std::string_view kind_name(ViolationKind kind, const Finding& finding);
/// The same of the finding's own kind; "" for none.
std::string_view kind_name(const Finding& finding);

/// Says what an engine does in a failing case, as a sentence without subject and numbers: "returns wrong values".
std::string failure_text(const Finding& finding);

/// ONNX's name of T; "" where it is not known.
std::string_view type_name(const Finding& finding);

/// Returns the case in which the finding's reduction ended; its own where it has none.
const std::string& smallest_line(const Finding& finding);

/// "CRASHED in one call (its worker died of SIGSEGV), RAN in an identical one", or "RAN in both of two
/// identical calls"; "" for what is not flaky.
std::string both_outcomes(const Finding& finding);

/// "Y"; "" where no output is named.
std::string_view output_name(const FirstViolation& first);
/// "Y_h[0,1,2]"
std::string place_name(const FirstViolation& first);
/// The two values in shortest round-trip form, "nan", "inf", "-0"; "" where there are none. What is wrong with an
/// output as a whole stands for what was expected.
std::string expected_text(const FirstViolation& first);
std::string actual_text(const FirstViolation& first);

/// Words for a first violation and its two values.
struct ValueNames {
  std::string_view first = "first wrong", expected = "expected", actual = "actual";
};
/// Names both values; where two answers are compared neither is expected: they are of two identical calls, or of two
/// fillings of fresh memory.
ValueNames value_names(const Judgement& judgement);

/// "expected 0.5, actual 0.75"; of an output as a whole the sentence that says what is wrong with it.
std::string both_values(const Judgement& judgement, const FirstViolation& first);

}  // namespace cellproof
