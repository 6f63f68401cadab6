#pragma once

#include <vector>

#include "oracle/element_evaluation.hpp"

namespace cellproof::oracle {

/// Is it DynamicQuantizeLSTM under a reading that quantises X and H? (Under dq-granularity=none it is an LSTM with the
/// real weights, and the evaluation of an LSTM.)
bool quantises(const Task& task);

/// As is_by_rows: a range must not be taken over states that were not observed.
bool is_quantized_by_rows(const Task& task);

/// As run_evaluation and gates_at. X is quantised over the block of all steps and sequences (or per step), H before
/// each step over the batch, or over chunks of it: where the number of chunks is open, the first that explains every
/// element is taken. `bits`: a precision level of oracle/precision_levels.hpp, of the quantisation as well.
ElementEvaluation run_quantized_evaluation(const Task& task, Tier tier, bool stop_early, int bits,
                                           const Stretch* only = nullptr);
std::vector<Trace::Value> quantized_gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                             std::int64_t unit, int bits);

/// As forward_sets, but with the roundings of `task.arithmetic`: they are part of what the operator means. `chunk`: the
/// number of sequences whose H shares a range, one of chunk_sizes.
Trajectory quantized_forward_sets(const Task& task, std::int64_t chunk, int bits);

/// The numbers of sequences that dq-granularity may quantise H over: N, or for block-chunked every ceil(N / k) with
/// k > 1, the largest first.
std::vector<std::int64_t> chunk_sizes(const Task& task);

}  // namespace cellproof::oracle
