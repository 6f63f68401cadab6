#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/element_evaluation.hpp"

namespace cellproof::oracle {

/// As run_evaluation, gates_at and forward_sets of operators whose rows do not depend on each other: all but
/// DynamicQuantizeLSTM where it quantises.
ElementEvaluation run_row_evaluation(const Task& task, Tier tier, bool stop_early, int bits,
                                     const Stretch* only = nullptr);
std::vector<Trace::Value> row_gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                       std::int64_t unit, int bits);
Trajectory row_forward_sets(const Task& task, int bits);

/// Returns how far the last states can be from the exact ones at most, by the certified bound in `double`; infinite
/// where nothing bounds them.
double reach_of_last_states(const Task& task);

/// A row of the batch in one direction.
struct BatchRow {
  std::int64_t d = 0, b = 0;
};

/// Is a last state off by more than this from where steps without rounding lead? No proof: errors go on as they do in
/// one hypothesis about as they do in another. It spares a search the bound of what is wrong by far. `likeliest`: the
/// row to begin with, if any, and then the one that was off; may be null.
bool is_far_off(const Task& task, double by, std::optional<BatchRow>* likeliest = nullptr);

}  // namespace cellproof::oracle
