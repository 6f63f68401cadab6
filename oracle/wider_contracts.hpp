#pragma once

#include <utility>
#include <vector>

#include "oracle/evaluate.hpp"

namespace cellproof::oracle {

/// Contracts wider than the case's own, as explanations of one answer. What takes long is found out when it is asked
/// for, and once.
class WiderContracts {
 public:
  /// `base`: the case's own contract. `evaluator`, the judge of the answer, must outlive it.
  WiderContracts(Evaluator& evaluator, ContractId base) : evaluator_(evaluator), base_(base) {}

  /// Takes what became of readings under the case's own contract, described.
  void learn(const Readings& readings, const Evaluation& narrow) { narrow_.emplace_back(readings, narrow); }

  /// Does it take longer to find out whether it shows than whether it admits the outputs?
  bool is_slow_to_show(const Readings& readings, ContractId wide);
  /// Is it seen in the outputs, if it must be? Whether it excuses damage is another question.
  bool shows(const Readings& readings, ContractId wide);
  /// Does the hypothesis admit every element? How many of them it verifies is said, and is no condition, but for
  /// contracts that compute float tensors in 16 bits: they allow so much that most faults would look like them.
  bool admits(const Hypothesis& hypothesis);
  /// Would a contract that must be seen excuse damage?
  bool excuses_damage(const Readings& readings, ContractId wide);
  /// Damage to one of many elements is no matter of precision.
  bool is_damage(const Readings& readings);

 private:
  const Evaluation& narrow_under(const Readings& readings);

  Evaluator& evaluator_;
  ContractId base_;
  std::vector<std::pair<Readings, Evaluation>> narrow_;  ///< by readings, as asked
  std::vector<std::pair<Readings, bool>> damage_;        ///< likewise: one step of one row set right explains the rest
};

}  // namespace cellproof::oracle
