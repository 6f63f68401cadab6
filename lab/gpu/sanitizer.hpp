#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/gpu/part.hpp"

namespace cellproof::lab {

/// Output of compute-sanitizer on a process.
struct SanitizerReading {
  bool complete = false;  ///< it ends in a summary: without one the tool or the process was cut off
  std::vector<std::string> findings;
};

/// A finding is everything that the tool reports at the left margin behind its "=========": faulty accesses, races,
/// calls of the runtime that fail, and failures of its own. Each is one line with where it was.
SanitizerReading read_sanitizer(const std::string& output);

/// compute-sanitizer: $CELLPROOF_COMPUTE_SANITIZER, else from the PATH, else the toolkit's; "" where there is none.
std::string find_compute_sanitizer();

/// Part `sanitizer` of gpu-check: cellproof-cuda under memcheck on all valid cases of smoke, under racecheck on a
/// hundred of pairs, under initcheck and synccheck on 25. `record["sanitizer"][TOOL]`: walk.hpp's progress, or
/// {"absent": why}.
int check_with_sanitizer(GpuPart& part);

}  // namespace cellproof::lab
