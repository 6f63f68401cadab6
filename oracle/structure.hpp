#pragma once

#include <vector>

#include "oracle/structural_violation.hpp"
#include "oracle/task.hpp"

namespace cellproof::oracle {

/// Checks the padding of Y, Y_h against Y's last valid step, and the states of rows that take no step.
std::vector<StructuralViolation> broken_elements(const Task& task);

}  // namespace cellproof::oracle
