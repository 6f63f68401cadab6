#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "campaign/case_trial.hpp"
#include "oracle/decide.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// How far `run` goes in looking for smaller cases.
struct ReductionLimits {
  std::size_t most_signatures = 0;
  std::chrono::duration<double> time{0};  ///< wall time for all of them; a question that was put is answered
};

/// The smallest case that fails on the engine as this finding does: in the same outcome, verdict, kind of violation
/// and, where an invalid model was accepted, broken rule. `out_of_time` is asked before each run. Nothing where the
/// finding cannot be reduced: it passes, comes from a directory, hangs (each question would cost the whole time-out),
/// has no line that can be read, or does not fail again.
std::optional<Reduction> reduce(const Finding& finding, const EngineUnderTest& engine, const oracle::Probe& run,
                                const std::function<bool()>& out_of_time);

/// Reduces the representative of every signature that has no reduction yet, the reports' order of groups first, within
/// the limits. `findings`: of one engine, with their signatures. `run` is called from two threads. Returns the
/// positions of the findings that got a reduction.
std::vector<std::size_t> reduce_representatives(std::vector<Finding>& findings, const EngineUnderTest& engine,
                                                const oracle::Probe& run, const ReductionLimits& limits);

}  // namespace cellproof::campaign
