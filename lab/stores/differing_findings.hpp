#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::lab {

/// A finding that two stores do not hold alike.
struct DifferingFinding {
  using Key = std::tuple<std::string, std::string, std::int64_t>;  ///< engine, suite, number in it

  Key key;
  std::string case_line;
  /// The fields of the record that differ; "missing" where one of the stores has no such finding.
  std::vector<std::string> fields;
};

/// Compares findings in everything but the engine's version and times; in the order of their keys. Where time cut a
/// reduction short, it counts as a time, and with it the signature, whose axes it found.
std::vector<DifferingFinding> differing_findings(const std::vector<Finding>& before, const std::vector<Finding>& after);

}  // namespace cellproof::lab
