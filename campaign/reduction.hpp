#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "campaign/case_trial.hpp"
#include "oracle/decide.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// The smallest case that fails on the engine as this finding does: in the same outcome, verdict, kind of violation
/// and, where an invalid model was accepted, broken rule. The engine is asked at most `most_runs` times, and no more
/// once it has hung or `stop` says so; what was found until then is not complete. Nothing where the finding cannot be
/// reduced: it passes, comes from a directory, hangs, has no line that can be read, or does not fail again.
std::optional<Reduction> reduce(const Finding& finding, const EngineUnderTest& engine, const oracle::Probe& run,
                                std::int64_t most_runs, const std::function<bool()>& stop);

/// Reduces the representatives of the first so many signatures in the reports' order of groups, those left out that
/// have a reduction already. `findings`: of one engine, with their signatures. Which of them are reduced, and how,
/// depends on nothing but them and the engine, unless `stop` says so. `run` is called from several threads at once, and
/// so are `stop` and `keep`, the latter with each finding that got a reduction. Returns the positions of those
/// findings.
std::vector<std::size_t> reduce_representatives(std::vector<Finding>& findings, const EngineUnderTest& engine,
                                                const oracle::Probe& run, std::size_t signatures,
                                                const std::function<bool()>& stop,
                                                const std::function<void(Finding&)>& keep);

}  // namespace cellproof::campaign
