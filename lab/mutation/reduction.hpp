#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/suite.hpp"
#include "lab/mutation/mutation.hpp"
#include "oracle/fault.hpp"
#include "oracle/minimise_numbers.hpp"
#include "spec/operator.hpp"

namespace cellproof::lab {

/// Size of the failure of one mutant after its reduction.
struct MutantReduction {
  std::string id;
  oracle::FaultClass cls = oracle::FaultClass::GateOrder;
  Operator op = Operator::LSTM;
  std::string case_name;      ///< the suite's case that it started from
  std::string case_line;      ///< the smallest that fails alike
  oracle::NumberCount start;  ///< numbers in X, W and R of the one
  oracle::NumberCount left;   ///< and of the other
  std::int64_t calls = 0;     ///< of the mutant
  bool complete = false;      ///< not cut off by the limit on calls
};

/// Reduces the failure of every mutant that a case of these kills, starting from the first such case, with the limits
/// of `cellproof reduce`; by operator, then as the faults stand in their table. Mutants whose case does not fail alike
/// a second time do not exist: they compute the same every time.
std::vector<MutantReduction> reduce_mutants(const std::vector<corpus::SuiteCase>& cases);

}  // namespace cellproof::lab
