#pragma once

#include <cstdint>
#include <vector>

#include "oracle/course.hpp"

namespace cellproof::oracle {

/// As run_course, gates_at and forward_sets of operators whose rows do not depend on each other: all but
/// DynamicQuantizeLSTM where it quantises.
Course run_row_course(const Task& task, Tier tier, bool stop_early, int bits, const Stretch* only = nullptr);
std::vector<Trace::Value> row_gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                       std::int64_t unit, int bits);
Trajectory row_forward_sets(const Task& task, int bits);

}  // namespace cellproof::oracle
