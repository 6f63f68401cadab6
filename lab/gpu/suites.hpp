#pragma once

#include <string>

#include "lab/gpu/part.hpp"

namespace cellproof::lab {

/// Part `suites` of gpu-check: all suites of the tier `ci` on each engine that is present, as `cellproof run` does it.
/// `record["suites"][ENGINE]`: {"exit_code", "report", "left": [what was not run], "ran": cases with outputs} or
/// {"failed": why}. What is left over is no success, nor are cases that were all refused, and an engine whose run
/// cannot be made keeps none of the others from theirs.
int check_suites(GpuPart& part);

/// The same of a suite or a tier.
int check_these_suites(GpuPart& part, const std::string& suites);

}  // namespace cellproof::lab
