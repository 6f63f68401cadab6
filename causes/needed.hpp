#pragma once

#include "causes/cover.hpp"

#include "spec/axis_value.hpp"
#include "spec/finding.hpp"

namespace cellproof::causes {

/// Axis values that a finding's reduction has proved to be needed, but for sizes, on which the fault does not show and
/// which are no condition of the scope. Where there are any, what is wrong is narrower, and the fault no more than
/// looks like it. Empty for a finding that was not reduced to its end.
AxisValues needed_beyond(const oracle::Fault& fault, const Scope& scope, const Finding& finding);

/// Does the finding's reduction need no more than the fault shows on, and more than the other one does?
bool speaks_for(const oracle::Fault& fault, const oracle::Fault& other, const Scope& scope, const Finding& finding);

/// Takes out each fault that explains no more cases than are open about the very axes that it shows on: by the
/// reduction of one of them, which needs nothing else. Something that nobody knows of is wrong there, and looks like
/// the fault in a part. So it does in an operator of which plain cases are open, and no fewer than are explained.
/// Returns whether there was any.
bool take_back_outweighed(Cover& cover);

/// Takes another fault in the place of one where every reduction of its cases needs what it does not show on and the
/// other one does: the other one explains as much, and nothing contradicts it, if need be in the operators of these
/// cases alone. Then the run has no other case that tells the two apart. Returns those that were taken.
FaultSet take_what_is_needed(Cover& cover);

}  // namespace cellproof::causes
