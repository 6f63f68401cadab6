#pragma once

#include <string>
#include <vector>

#include "lab/mutation/mutation.hpp"
#include "spec/axis_value.hpp"

namespace cellproof::lab {

/// Judgement of a mutant's divergence on one case.
struct MutantAttribution {
  std::string id;
  Operator op = Operator::LSTM;
  std::string case_name;
  std::vector<std::string> named;  ///< the faults that explain it, its own not withheld
  AxisValues guilty;               ///< with its own withheld: what is left when all else is at its default
  bool is_named = false;           ///< its own fault is among `named`
  bool is_attributed = false;      ///< the guilty axes are those that the fault declares
};

/// Attributes every mutant that a case of these makes diverge, by the first such case. Faults of precision that a wider
/// contract explains do not diverge: they have a contract's name, and no fault's.
std::vector<MutantAttribution> attribute_mutants(const std::vector<corpus::SuiteCase>& cases);

/// Are these the axes that a fault's `blames` (oracle/fault.hpp) declares: all of them, and no other?
bool is_as_declared(const std::string& blames, const AxisValues& guilty);

}  // namespace cellproof::lab
