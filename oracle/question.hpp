#pragma once

#include <optional>
#include <vector>

#include "oracle/faulty_step/faulty_cell.hpp"
#include "oracle/faulty_step/quantiser_switches.hpp"
#include "oracle/layout.hpp"
#include "oracle/quantized/weights.hpp"
#include "oracle/task.hpp"
#include "spec/contract.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// All that the verdict on a task follows from. Most faults that explain an answer come to the same question, so that
/// one of them is judged for all.
struct Question {
  /// nullopt where a fault changes what arithmetic may do, and of large weights. `changed`: what faults have made of
  /// the problem and the outputs; null where they are as seen.
  static std::optional<Question> of(const Task& task, ContractId contract, const Observed* changed);

  ContractId contract;
  Readings readings;
  std::optional<Problem> problem;
  std::optional<Outputs> outputs;
  std::vector<double> X_radius;  ///< of what faults have made, likewise
  Layout layout;
  std::vector<FaultyCell> cells;  ///< of each direction, in the first half of the steps and later
  std::vector<QuantizedMatrix> matrices;
  QuantiserSwitches quantiser;
  int input_lag, resets_every;
  bool warms_up_in_padding, state_goes_to_next_row;

  bool operator==(const Question&) const = default;
};

}  // namespace cellproof::oracle
