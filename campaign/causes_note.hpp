#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/kept_answers.hpp"
#include "spec/cause.hpp"
#include "spec/engine_note.hpp"

namespace cellproof::campaign {

/// Causes of an engine's failures as far as a run found them.
struct FoundCauses {
  std::vector<Cause> causes;
  std::string cut_short;  ///< where the search was ended early, and what that means; "" where it was not
};

/// The causes of an engine with these findings. `is_over`: is there no time left? `ask`: the engine, for cases that are
/// made to tell causes apart; may be empty.
FoundCauses causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over, const engines::Probe& ask = {});

/// The same as notes on the engine, Causes and CausesCutShort; only those that say something. Their titles come into
/// the issues that lie in the findings' reduced folders, below the folder of a report.
EngineNotes notes_on_causes(const std::vector<Finding>& findings, const KeptAnswers& kept,
                            const EngineUnderTest& engine, const std::filesystem::path& report,
                            const std::function<bool()>& is_over, const engines::Probe& ask = {});

}  // namespace cellproof::campaign
