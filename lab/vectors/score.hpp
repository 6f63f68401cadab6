#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/vectors/candidates.hpp"
#include "lab/zoo/zoo.hpp"
#include "reports/vectors/vector_set.hpp"

namespace cellproof::lab {

/// A fault in an operator.
using PlantedFault = std::pair<Operator, std::string>;
using PlantedFaults = std::set<PlantedFault>;

/// Those that the intervals of a set find, those that it finds as backend-test directories with their tolerances, and
/// those that ONNX's official tests find with ONNX's own.
PlantedFaults found_by_intervals(const reports::VectorSet& set);
PlantedFaults found_by_directories(const reports::VectorSet& set);
PlantedFaults found_by_official_tests();

/// Those that the judge finds on the cases, laws aside.
PlantedFaults found_by_suites(const std::vector<corpus::SuiteCase>& cases);

/// Verdicts on a style of the zoo, which is honest.
struct StyleScore {
  std::string_view style;
  std::int64_t vectors = 0, alarms = 0;                 ///< by intervals
  std::int64_t directories = 0, directory_alarms = 0;   ///< by tolerances
  std::vector<std::pair<std::string, Tensor>> outputs;  ///< by "LSTM-01/Y"
};
StyleScore score_of(const reports::VectorSet& set, const zoo::Style& style);

/// Count of the faults that a choice finds although nobody looked at them.
struct WithheldScore {
  std::int64_t findable = 0, found = 0;
};
/// Withholds every fault once, a part of them at a time.
WithheldScore score_withheld(const std::vector<VectorCandidate>& candidates, int parts);

}  // namespace cellproof::lab
