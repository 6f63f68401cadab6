#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/combinations.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/hypotheses.hpp"
#include "oracle/knowledge.hpp"
#include "oracle/wider_contracts.hpp"

namespace cellproof::oracle {

/// Goes through the list of hypotheses to the first that explains every element of an answer. What none of them
/// explains diverges, and then faults are named that would: faults of precision, which excuse more than others, only
/// where no other fault explains.
class Search {
 public:
  /// `seen` must outlive the search. `depth`: Described, or Verdict, which neither describes what it finds nor looks
  /// for faults.
  Search(const Observed& seen, const Knowledge& known, FaultList tried, Depth depth = Depth::Described,
         double most_fault_work = Hypotheses::usual_fault_work);
  Search(Observed&&, const Knowledge&, FaultList, Depth = Depth::Described, double = 0) = delete;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Tries one hypothesis, of which there may be hundreds. False when the answer is decided.
  bool advance();
  /// The judgement, once it is decided.
  Judgement take_judgement() { return std::move(judgement_); }

 private:
  /// Certainty that other readings are excluded under all contracts at once.
  enum class Exclusion { Unknown, None, Close, ByFar };

  void try_default(const Hypothesis& hypothesis);
  void try_reading(const Supposition& tried);
  void try_contract(const Supposition& tried);
  void try_reading_and_contract(const Supposition& tried);
  void try_fault(const Supposition& tried);
  bool look_at_combinations();
  void leave_stage();

  void confirm_default();
  void conclude();
  Verdict verdict_of(const Hypothesis& hypothesis);
  bool keeps_to_the_usual(const Readings& readings);
  Arithmetic twice(const Readings& readings) const;
  bool excludes(const Hypothesis& hypothesis, Depth depth) { return evaluator_.evaluate(hypothesis, depth).excluded(); }
  bool excludes(const Readings& readings, const Arithmetic& arithmetic, Depth depth) {
    return excludes({readings, list_.contracts().base, {}, arithmetic}, depth);
  }
  Exclusion exclusion_of(std::size_t candidate);
  std::optional<reason::Unconfirmed> unconfirmed();
  std::optional<reason::Unconfirmed> unconfirmed_under(const Readings& readings,
                                                       const std::vector<ContractId>& excluded);
  std::vector<ContractId> excluded_of(std::vector<ContractId> contracts, const Readings& readings, Depth depth);
  const std::vector<ContractId>& excluded_under(std::size_t candidate);
  void decide(Judgement judgement);
  void decide_by_reading(const Readings& readings, ContractId contract);
  void decide_as_declared(const Readings& readings);
  void decide_by_precision(const Readings& readings, ContractId contract, std::vector<ContractId> contracts);
  bool describes() const { return depth_ == Depth::Described; }

  const Observed& seen_;
  Depth depth_;
  Hypotheses list_;
  Evaluator evaluator_;
  WiderContracts wider_;
  Stage stage_ = Stage::Default;
  Evaluation default_;                                            ///< what became of the first hypothesis
  std::optional<Combinations> combinations_;                      ///< where they are too many to be listed
  std::vector<Exclusion> exclusions_;                             ///< by candidate
  std::vector<std::optional<std::vector<ContractId>>> excluded_;  ///< in `double`, by candidate, as asked
  std::optional<Readings> open_;     ///< nothing is disproved under them, but too little verified
  bool suspect_ = false;             ///< under some readings nothing is worse than suspect
  std::vector<ContractId> minimal_;  ///< wider contracts that explain, none of them wider than another
  std::vector<Hypothesis> unshown_;  ///< readings tried under one contract that does not show
  std::vector<std::string> faults_;
  Judgement judgement_;
  bool decided_ = false;
};

/// A whole search.
Judgement search(const Observed& seen, const Knowledge& known, FaultList tried, Depth depth = Depth::Described);

}  // namespace cellproof::oracle
