#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/suite.hpp"
#include "oracle/fault.hpp"
#include "spec/operator.hpp"

namespace cellproof::lab {

/// Fate of one seeded fault in one operator of a suite.
struct MutantScore {
  std::string id;
  oracle::FaultClass cls = oracle::FaultClass::GateOrder;
  Operator op = Operator::LSTM;
  std::int64_t applicable = 0;     ///< cases on which the fault can act; those met until the first kill
  std::int64_t changed = 0;        ///< of these: cases whose outputs it changes
  std::vector<std::string> kills;  ///< names of the cases that prove it wrong; one unless all were asked for
  bool is_a_reading = false;       ///< nothing kills it, and a listed reading explains what it changes: not counted

  bool killed() const { return !kills.empty(); }
};

/// A share of the mutants: those of an operator, of a fault class or all.
struct MutationShare {
  std::int64_t killed = 0;
  std::int64_t counted = 0;
};

struct MutationScore {
  std::vector<MutantScore> rows;  ///< by operator, then as the faults stand in their table

  MutationShare of(std::optional<Operator> op, std::optional<oracle::FaultClass> cls) const;
  std::vector<const MutantScore*> survivors() const;
};

/// Runs every mutant in-process on the cases of the operators that it can occur in. Killed: DIVERGES, or PRECISION for
/// a fault of precision. `all_kills`: go on after the first.
MutationScore score_mutants(const std::vector<corpus::SuiteCase>& cases, bool all_kills = false);

/// For each of the mutants the name of a case of these that kills it in its operator, if there is one.
std::vector<std::optional<std::string>> killers_of(const std::vector<const MutantScore*>& mutants,
                                                   const std::vector<corpus::SuiteCase>& cases);

}  // namespace cellproof::lab
