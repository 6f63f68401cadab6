#include "oracle/run_evaluation.hpp"

#include "oracle/quantized/evaluation.hpp"
#include "oracle/row_evaluation.hpp"

namespace cellproof::oracle {

bool is_by_rows(const Task& task) {
  return quantises(task) ? is_quantized_by_rows(task) : !task.fault_hooks.state_goes_to_next_row;
}

ElementEvaluation run_evaluation(const Task& task, Tier tier, bool stop_early, int bits, const Stretch* only) {
  return quantises(task) ? run_quantized_evaluation(task, tier, stop_early, bits, only)
                         : run_row_evaluation(task, tier, stop_early, bits, only);
}

std::vector<Trace::Value> gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                   std::int64_t unit, int bits) {
  return quantises(task) ? quantized_gates_at(task, d, b, rank, unit, bits)
                         : row_gates_at(task, d, b, rank, unit, bits);
}

Trajectory forward_sets(const Task& task, int bits) {
  return quantises(task) ? quantized_forward_sets(task, chunk_sizes(task).front(), bits) : row_forward_sets(task, bits);
}

}  // namespace cellproof::oracle
