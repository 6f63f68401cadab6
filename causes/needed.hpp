#pragma once

#include <vector>

#include "causes/cover.hpp"

#include "spec/axis_value.hpp"
#include "spec/finding.hpp"

namespace cellproof::causes {

using Items = std::vector<Cover::Item*>;

/// Failing cases that are explained with the fault and not without it.
Items explained_with(Cover& cover, const oracle::Fault* fault);

/// Axis values that a finding's reduction has proved to be needed, but for sizes, on which the fault does not show and
/// which are no condition of the scope. Where there are any, what is wrong is narrower, and the fault no more than
/// looks like it. Empty for a finding that was not reduced to its end.
AxisValues needed_beyond(const oracle::Fault& fault, const Scope& scope, const Finding& finding);

/// Does the finding's reduction need no more than the fault shows on, and more than the other one does?
bool speaks_for(const oracle::Fault& fault, const oracle::Fault& other, const Scope& scope, const Finding& finding);

/// Takes another fault in the place of one where every reduction of its cases needs what it does not show on and the
/// other one does: the other one explains as much, and nothing contradicts it, if need be in the operators of these
/// cases alone. Then the run has no other case that tells the two apart. Returns those that were taken.
FaultSet take_what_is_needed(Cover& cover);

}  // namespace cellproof::causes
