#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/zoo/zoo.hpp"
#include "spec/case.hpp"
#include "spec/contract.hpp"
#include "spec/element_type.hpp"
#include "spec/finding.hpp"
#include "spec/operator.hpp"
#include "spec/verdict.hpp"

namespace cellproof::lab {

/// An honest computation that was not judged CONFORMS or UNDECIDED: a fault of the oracle, until shown otherwise.
struct FalseAlarm {
  std::string case_line;
  std::string style;
  Verdict verdict;
  std::string message;
};

/// Why an honest computation was left undecided: what most of its unverified elements are.
enum class Doubt : std::uint8_t {
  WideBound,    ///< their sets are too wide to say anything
  Overflow,     ///< after an overflow or NaN that honest arithmetic may have
  Unspecified,  ///< no reading fixes them
  CloseCall,    ///< the arithmetic of the oracle cannot tell on which side of a bound they lie
};
inline constexpr std::size_t doubt_count = 4;
using Doubts = std::array<std::int64_t, doubt_count>;

/// Treatment by the oracle of honest arithmetic of one operator in one type.
struct HonestRow {
  Operator op;
  ElementType type;
  std::int64_t conforms = 0, undecided = 0, alarms = 0;
  Doubts doubts{};         ///< of the undecided
  double worst_ratio = 0;  ///< largest error over running bound that was met
};

/// An honest computation that was left undecided.
struct LeftOpen {
  std::string case_line;
  std::string style;
  std::string message;
};

struct HonestCalibration {
  std::vector<HonestRow> rows;            ///< operators in order, types in order
  std::map<std::string, Doubts> regimes;  ///< of the undecided, by regime of the case's values
  std::vector<FalseAlarm> alarms;         ///< the first twenty
  std::vector<LeftOpen> left_open;        ///< the first two hundred
};

/// Computes `findings_per_operator` random valid cases (all versions, types, regimes, attributes) of each operator in
/// the styles of the honest zoo by turns, and lets the oracle decide each. Deterministic in (findings, seed).
HonestCalibration calibrate_honest(std::int64_t findings_per_operator, int jobs, std::uint64_t seed = 0);

/// One honest computation of a case in a style of the zoo, decided: for cases that once raised a false alarm. Throws
/// std::invalid_argument for an unknown style.
Judgement judge_honest(const Case& c, std::string_view style, std::uint64_t style_seed = 0);

/// The same in any style, by an engine that declares the contract.
Judgement judge_declared(const Case& c, const zoo::Style& style, std::uint64_t style_seed, ContractId declared);

/// Treatment by the oracle of an engine of the zoo that declares what its arithmetic is.
struct DeclaredRow {
  std::string style;
  ContractId contract;
  std::int64_t admitted = 0, undecided = 0, alarms = 0;  ///< CONFORMS or PRECISION; UNDECIDED; anything else
  std::vector<FalseAlarm> first_alarms;
};

/// Computes random cases of every operator in the style's type, half of them of subnormal values where it flushes.
std::vector<DeclaredRow> calibrate_declared(std::int64_t cases_per_style, std::uint64_t seed = 0);

/// Fate of honest float results in which one element of Y was changed by one part in ten thousand, where that is
/// 16 roundoffs of the largest element or more, and no other output repeats it.
struct DamagedRow {
  Operator op;
  std::int64_t tried = 0;
  std::int64_t diverges = 0, suspect = 0;  ///< and the element is named
  std::int64_t excused = 0;                ///< PRECISION: a wider contract was taken for the cause
  std::int64_t missed = 0;                 ///< anything else
  std::vector<LeftOpen> others;            ///< those excused or missed
};

std::vector<DamagedRow> calibrate_damaged(std::int64_t cases_per_operator, std::uint64_t seed = 0);

/// Fate of a seeded fault in one operator, over random cases on which it changes some output by 16 roundoffs or more,
/// and by more than the contract leaves the functions, and is not what a listed reading says.
struct MutantRow {
  std::string id;
  Operator op = Operator::LSTM;
  std::int64_t tried = 0;                     ///< such cases
  std::int64_t found = 0;                     ///< of these: SUSPECT, PRECISION or DIVERGES
  std::int64_t tried_without_Y = 0;           ///< such cases that do not ask for Y
  std::vector<std::string> missed_without_Y;  ///< of these, not found by the outputs that they ask for alone
  std::int64_t hidden =
      0;               ///< cases without Y beside these that it changes by less than the contract leaves a function
  std::string missed;  ///< a case line on which it was not found; "" if there is none
};

/// Runs every mutant on the same `draws_per_mutant` random cases of each of its operators until `cases_per_mutant` of
/// them show its effect. A mutant without a row for an operator had no effect there.
std::vector<MutantRow> calibrate_mutants(std::int64_t cases_per_mutant, std::int64_t draws_per_mutant = 1200,
                                         std::uint64_t seed = 0);

/// Ids of mutants that no row shows to be found at least once.
std::vector<std::string> mutants_never_found(const std::vector<MutantRow>& rows);

}  // namespace cellproof::lab
