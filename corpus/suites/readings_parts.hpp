#pragma once

#include <string>
#include <vector>

#include "spec/case.hpp"
#include "spec/readings.hpp"

namespace cellproof::corpus::catalogue {

/// A case of suite readings that axis values alone cannot make.
struct NumberedQuestion {
  Clause clause;
  std::string how;
  Case c;
};

/// Those of one operator version: an argument exactly at ThresholdedRelu's alpha, infinities and NaN in X, NaN in the
/// padding, arguments on which literal formulas overflow, lengths out of range, zero points by column, an infinite
/// forget gate.
std::vector<NumberedQuestion> questions_with_numbers(OperatorVersion version);

}  // namespace cellproof::corpus::catalogue
