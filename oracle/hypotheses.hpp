#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/contracts_tried.hpp"
#include "oracle/fault.hpp"
#include "oracle/hypothesis.hpp"
#include "oracle/knowledge.hpp"
#include "oracle/reading_choices.hpp"

namespace cellproof::oracle {

/// The kinds of hypotheses, in the order in which they are tried.
enum class Stage {
  Default,             ///< default readings under the contract that the case is judged by
  Reading,             ///< other readings under that contract
  Contract,            ///< wider contracts, from strict to wide
  ReadingAndContract,  ///< both, contract by contract
  Fault,               ///< a fault, under the default readings and under those proved for the engine
  FaultOfPrecision,    ///< likewise; these excuse more than others
  End,
};

/// The next hypothesis of the list.
struct Supposition {
  Stage stage = Stage::Default;
  Hypothesis hypothesis;
  std::size_t reading = 0;  ///< of Reading and ReadingAndContract: the candidate's number
};

/// All that may be supposed of an engine's answer to a problem, from strict to wide: the one order that verdicts,
/// fingerprints, mutation scores, calibration and the naming of faults go by.
class Hypotheses {
 public:
  /// `tried`: which faults. Of a node with so many weights that to try all of them would cost minutes, only the
  /// likeliest are listed, and come first. `most_fault_work`: the bound, in weights and steps that are looked at. It
  /// counts and does not measure, so that verdicts are the same on every machine. The problem must outlive the list.
  Hypotheses(const Problem& problem, const Knowledge& known, FaultList tried,
             double most_fault_work = usual_fault_work);
  static constexpr double usual_fault_work = 0x1p32;

  /// nullopt at the end.
  std::optional<Supposition> next();
  /// Leaves out the other readings under the contract of the last one.
  void skip_contract();

  const ContractsTried& contracts() const { return contracts_; }
  /// Made when they are first asked for: most answers are explained before.
  const ReadingChoices& readings();
  /// Is the last of the listed readings tried under the case's own contract, and are there combinations beside them?
  bool lacks_combinations() const;
  /// Adds those combinations that the outputs leave. `open`: so many more are neither among them nor excluded.
  void add_combinations(const std::vector<Readings>& left, std::size_t open);
  FaultList faults() const { return tried_; }
  /// Those of the list that were passed over because of the bound.
  reason::FaultsNotTried untried() const;

 private:
  std::optional<Supposition> next_fault();
  void enter(Stage stage);

  const Problem& problem_;
  ContractsTried contracts_;
  Readings proved_;
  std::optional<ReadingChoices> readings_;
  bool has_combinations_ = false;  ///< they were added
  std::vector<const Fault*> tried_;
  double work_of_a_fault_, most_fault_work_, fault_work_ = 0;
  std::int64_t untried_ = 0;
  std::vector<Readings> with_faults_;  ///< the readings that faults are tried under
  Stage stage_ = Stage::Default;
  std::size_t reading_ = 0, contract_ = 0, fault_ = 0;  ///< of the next hypothesis of the stage
};

}  // namespace cellproof::oracle
