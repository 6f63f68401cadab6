#pragma once

#include <string>
#include <vector>

#include "spec/case.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {

/// The plain case that suites vary: five steps, three rows, four inputs and six units, all different from each other
/// and from every number of directions. Before opset 7 output_sequence is set, without which asking for Y is disputed.
inline Case basis(OperatorVersion version, ElementType type = ElementType::Float) {
  Case c = plain_case(version, type, 5, 3, 4, 6);
  if (rules_of(version).attribute("output_sequence") != nullptr) c.attributes.output_sequence = 1;
  return c;
}

}  // namespace cellproof::corpus::catalogue
