#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// Worth of a subject's outputs.
struct Agreement {
  bool holds = false;     ///< the judge finds that they follow from the problem
  std::string verdict;    ///< as in a report: "CONFORMS", "READING"
  std::string complaint;  ///< the judge's sentence, where it does not hold
};

/// Judges outputs as `cellproof run` would, but for the naming of faults. `declared`: the contract of whoever made
/// them, nullopt for the type's default. `jobs`: a batch is judged in so many parts at once, each for itself; a
/// complaint then names the place within its part.
Agreement judge_outputs(const Problem& problem, const Outputs& outputs, std::optional<ContractId> declared, int jobs);

/// The largest absolute difference of two subjects' outputs over all elements; nullopt where one of them has an
/// output that the other lacks, or of another shape. NaN counts as infinitely far from a number.
std::optional<double> largest_difference(const Outputs& one, const Outputs& other);

}  // namespace cellproof::lab::bench
