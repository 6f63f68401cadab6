#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "causes/rejudged.hpp"

#include "spec/case.hpp"
#include "spec/finding.hpp"
#include "spec/problem.hpp"

namespace cellproof::causes {

/// A case that may tell rivals apart.
struct Made {
  Case c;
  Problem problem;  ///< with all outputs
  int rank = 0;     ///< the likeliest to tell first
};

/// The case in which the finding's reduction ended, or its own where there is none. nullopt: its tensors lie in a file
/// of somebody's.
std::optional<Case> case_shown_by(const Finding& finding);

/// Is it quickly asked and judged?
bool is_small_and_valid(const Problem& problem);

/// Does one of the faults show on the axis, as the catalogue has it?
bool is_blamed(std::string_view axis, const FaultSet& faults);

/// Is the axis one of T, N, I and H?
bool is_size(std::string_view axis);

/// The case with other numbers, the threshold of a clip among them, larger, or with one axis changed. First come those
/// that not all of the faults act on, then those that differ on an axis on which one of them shows.
std::vector<Made> made_cases(const Case& shown, const FaultSet& faults);

/// A case that is at its defaults but for Y, which early versions give only where they are asked for it.
Case plain_with_all_outputs(OperatorVersion version, ElementType type, const Dimensions& d);

/// The case with other numbers. What has a regime of its own, as special values have, stays where anything else varies:
/// with other ones it need not show any more.
Case with_other_numbers(const Case& c, std::uint64_t more);

/// A plain case, but for the axes, and the kind of data, on which the fault shows: nothing else that is wrong with the
/// engine need show there. It has rows and steps enough to tell what becomes of each, and another threshold of a clip.
Case aimed_at(const oracle::Fault& fault, const Case& shown);

/// The case with one more input, each of the optional ones in turn. Many faults do the same where zeros come in.
std::vector<Made> with_one_more_input(const Case& c);

/// The case with its axes on which the fault shows at their defaults. Returns nullopt where the fault still acts.
std::optional<Case> without_fault(const oracle::Fault& fault, const Case& c);

/// The case with nothing left, of the axes on which the fault shows, but what the fault needs to act. Returns nullopt
/// where that is all that it has.
std::optional<Case> with_fault_alone(const oracle::Fault& fault, const Case& c);

}  // namespace cellproof::causes
