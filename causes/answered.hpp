#pragma once

#include <optional>
#include <vector>

#include "spec/contract.hpp"
#include "spec/finding.hpp"
#include "spec/outcome.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::causes {

/// One answer of an engine that was compared with what is right.
struct Answer {
  Problem problem;
  Outputs outputs;
};

/// One case of an engine with its finding and what it takes to judge it again.
///
/// The answers are kept in memory: a case of the suites has a few hundred numbers, so `ci` takes some tens of MB.
/// Asking the engine again would cost a run, and an engine that differs from call to call would answer otherwise.
struct Answered {
  const Finding* finding = nullptr;
  std::optional<ContractId> declared = std::nullopt;  ///< under which the engine is judged; nullopt: the type's default
  Readings followed = {};  ///< by the engine, as its other answers prove, where they bear on the case
  /// The case itself, then the run with all outputs where its verdict rests on that; or all runs of a broken law. Empty
  /// where nothing was compared: crashes, refusals, laws that hold or are broken by bits alone, and cases whose answers
  /// were too large to keep; of passes that can show nothing.
  std::vector<Answer> answers = {};
};

}  // namespace cellproof::causes
