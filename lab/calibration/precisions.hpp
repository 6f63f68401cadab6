#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spec/operator.hpp"

namespace cellproof::lab {

/// Words of the oracle on one kind of the labelled set (lab/mutants/precision_kinds.hpp).
struct LabelledRow {
  std::string kind;
  std::string what;
  std::int64_t passed = 0;                    ///< CONFORMS or UNDECIDED: nothing is said of a cause
  std::int64_t unnamed = 0;                   ///< it fails, with no listed cause
  std::map<std::string, std::int64_t> right;  ///< by what is named
  std::map<std::string, std::int64_t> wrong;
  std::vector<std::string> wrong_lines;  ///< the first cases, each with what is said of it
};

struct LabelledSet {
  std::vector<LabelledRow> rows;

  std::int64_t right() const;
  std::int64_t wrong() const;
};

/// Runs every kind on `cases` random cases of each operator that show it, and has the outputs judged as a run does.
/// A contract or fault that is named is right where the kind's label has it, or where an engine with the named fault
/// gives the very same outputs.
LabelledSet judge_labelled(std::int64_t cases, std::uint64_t seed = 0);

}  // namespace cellproof::lab
