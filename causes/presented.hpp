#pragma once

#include "causes/cover.hpp"

namespace cellproof::causes {

/// Takes the corner of a fault in its place where every reduction of a case that the fault explains shows that symbolic
/// sizes are needed, and the corner explains as much: then the run has no other case that would tell the two apart.
/// Returns whether any was taken.
bool take_corners_of_presentation(Cover& cover);

}  // namespace cellproof::causes
