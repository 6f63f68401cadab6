#pragma once

#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::corpus::catalogue {

/// The plain case that suites vary: five steps, three rows, four inputs and six units, all different from each other
/// and from every number of directions. Before opset 7 output_sequence is set, without which asking for Y is disputed.
inline Case basis(OperatorVersion version, ElementType type = ElementType::Float) {
  Case c = plain_case(version, type, 5, 3, 4, 6);
  if (version.op != Operator::DynamicQuantizeLSTM && version.since_version < 7) c.attributes.output_sequence = 1;
  return c;
}

}  // namespace cellproof::corpus::catalogue
