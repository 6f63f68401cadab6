#include "oracle/question.hpp"

#include <cstdint>
#include <utility>

namespace cellproof::oracle {
namespace {

/// Weights of a gate in all directions: to copy those of more takes as much room as many small cases do.
constexpr std::int64_t most_weights = 1 << 14;

}  // namespace

std::optional<Question> Question::of(const Task& task, ContractId contract, const Observed* changed) {
  const FaultHooks& hooks = task.fault_hooks;
  const Layout& f = task.layout;
  if (hooks.arithmetic || f.D * f.H * (f.I + f.H) > most_weights) return std::nullopt;
  Question question{.contract = contract,
                    .readings = task.readings,
                    .problem = changed ? std::optional(changed->problem) : std::nullopt,
                    .outputs = changed ? std::optional(changed->outputs) : std::nullopt,
                    .X_radius = changed ? changed->X_radius : std::vector<double>{},
                    .layout = f,
                    .cells = {},
                    .matrices = {},
                    .quantiser = hooks.quantiser,
                    .input_lag = hooks.input_lag,
                    .resets_every = hooks.resets_every,
                    .warms_up_in_padding = hooks.warms_up_in_padding,
                    .state_goes_to_next_row = hooks.state_goes_to_next_row};
  for (int d = 0; d < static_cast<int>(f.D); ++d) {
    question.cells.push_back(task.cell(d));
    if (hooks.late_cell) question.cells.push_back(task.early_cell(d));
    if (!hooks.matrices || !is_quantised(task.problem.version.op)) continue;
    QuantizedMatrix W = matrix_of_W(task.problem, task.readings, d), R = matrix_of_R(task.problem, task.readings, d);
    hooks.matrices(W, R, {task.problem, task.readings, d});
    question.matrices.push_back(std::move(W));
    question.matrices.push_back(std::move(R));
  }
  return question;
}

}  // namespace cellproof::oracle
