#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/element_type.hpp"
#include "spec/finding.hpp"
#include "spec/operator.hpp"
#include "spec/verdict.hpp"

namespace cellproof::campaign {

/// An honest computation that was not judged CONFORMS or UNDECIDED: a fault of the oracle, until shown otherwise.
struct FalseAlarm {
  std::string case_line;
  std::string style;
  Verdict verdict;
  std::string message;
};

/// How the oracle treated honest arithmetic of one operator in one type.
struct HonestRow {
  Operator op;
  ElementType type;
  std::int64_t conforms = 0, undecided = 0, alarms = 0;
  double worst_ratio = 0;  ///< largest error over running bound that was met
};

struct HonestCalibration {
  std::vector<HonestRow> rows;     ///< operators in order, types in order
  std::vector<FalseAlarm> alarms;  ///< the first twenty
};

/// Computes `findings_per_operator` random valid cases (all versions, types, regimes, attributes) of LSTM, GRU and RNN
/// in the styles of the honest zoo by turns, and lets the oracle decide each. Deterministic in (findings, seed).
HonestCalibration calibrate_honest(std::int64_t findings_per_operator, int jobs, std::uint64_t seed = 0);

/// One honest computation of a case in a style of the zoo, decided: for cases that once raised a false alarm. Throws
/// std::invalid_argument for an unknown style.
Judgement judge_honest(const Case& c, std::string_view style, std::uint64_t style_seed = 0);

/// How a seeded fault fared in one operator, over random cases on which it changes some output by 16 roundoffs or more
/// and is not what a listed reading says.
struct MutantRow {
  std::string id;
  Operator op;
  std::int64_t tried = 0;  ///< such cases
  std::int64_t found = 0;  ///< of these: SUSPECT, PRECISION or DIVERGES
  std::string missed;      ///< a case line on which it was not found; "" if there is none
};

/// Runs every mutant on the same `draws_per_mutant` random cases of each of its operators until `cases_per_mutant` of
/// them show its effect. A mutant without a row for an operator had no effect there.
std::vector<MutantRow> calibrate_mutants(std::int64_t cases_per_mutant, std::int64_t draws_per_mutant = 1200,
                                         std::uint64_t seed = 0);

/// Ids of mutants that no row shows to be found at least once.
std::vector<std::string> mutants_never_found(const std::vector<MutantRow>& rows);

}  // namespace cellproof::campaign
