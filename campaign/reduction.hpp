#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/reduction_journal.hpp"
#include "engines/probe.hpp"
#include "oracle/minimise.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// When a reduction ends, though something simpler might fail, too.
struct ReductionLimits {
  std::int64_t most_calls = 200;  ///< of the engine
  int tries = 5;                  ///< how often a case is asked that does not fail each time
  int most_hangs = 1;             ///< that are waited for
  /// May be empty. Once it says so no case is made smaller than it is, and no other one is begun with.
  std::function<bool()> late = {};
  oracle::Reach reach = oracle::Reach::Numbers;
  std::function<bool()> stop = {};       ///< may be empty
  bool shows_progress = true;            ///< of all representatives, on stderr
  ReductionJournal* journal = nullptr;   ///< answers that are known already, and where to keep new ones
  std::function<void()> on_answer = {};  ///< after each question; may be empty
};

/// A case's failures among the times that it was asked.
struct Frequency {
  int failed = 0;
  int asked = 0;
  bool always() const { return failed == asked; }
};
/// "failed 3 of 5 times"
std::string to_text(const Frequency& frequency);

struct Reduced {
  Case smallest;
  Reduction record;    ///< its message says how often the smallest case failed, where that is not always
  Frequency found;     ///< of the case that it started from
  Frequency kept;      ///< of the smallest
  bool steady = true;  ///< false: a smaller case failed, but not again
};

/// The smallest case that fails on the engine as the finding does, which is one of the case `start`: in the same
/// outcome, verdict, kind of violation and what else its signature holds (SameFailure). Once a limit is reached no more
/// is asked, and what was found until then is not complete. What is flaky, or does not fail at once, fails where it
/// does so in one of `limits.tries` calls. Nothing where the case does not.
std::optional<Reduced> reduce_case(const Case& start, const Finding& finding, const EngineUnderTest& engine,
                                   const engines::Probe& run, const ReductionLimits& limits);

/// The same for the case in the finding's line, or for that in which an earlier reduction of it ended. Nothing, too,
/// where the finding passes, comes from a directory, hangs, or has no line that can be read.
std::optional<Reduction> reduce(const Finding& finding, const EngineUnderTest& engine, const engines::Probe& run,
                                const ReductionLimits& limits);

/// Reduces the representatives of the first so many signatures in the reports' order of groups, the worst first, those
/// left out that have a reduction already. `findings`: of one engine, with their signatures. Which of them are reduced,
/// and how, depends on nothing but them and the engine, unless `limits.stop` or `limits.late` says so. `run` is called
/// from several threads at once, and so are `limits.stop`, `limits.late` and `keep`, the latter with each finding that
/// got a reduction. Returns the positions of those findings.
std::vector<std::size_t> reduce_representatives(std::vector<Finding>& findings, const EngineUnderTest& engine,
                                                const engines::Probe& run, std::size_t signatures,
                                                const ReductionLimits& limits,
                                                const std::function<void(Finding&)>& keep);

}  // namespace cellproof::campaign
