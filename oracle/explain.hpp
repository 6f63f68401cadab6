#pragma once

#include <vector>

#include "oracle/element_evaluation.hpp"
#include "oracle/structural_violation.hpp"
#include "oracle/tally.hpp"
#include "spec/finding.hpp"

namespace cellproof::oracle {

/// The first violation as a record: from the elements beyond their bounds, or from a structural violation at that
/// place.
/// `bits`: the precision level that the elements come from.
FirstViolation first_violation(const Task& task, const ElementEvaluation& evaluation, int bits,
                               const std::vector<StructuralViolation>& broken, const Place& place);

/// Value, or the kind of the structural violation that stands at the place.
ViolationKind kind_at(const std::vector<StructuralViolation>& broken, const Place& place);

/// The worst element of each processed step, by direction and then in processing order.
std::vector<StepPoint> series_of(const Task& task, const ElementEvaluation& evaluation);

}  // namespace cellproof::oracle
