#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/kept_answers.hpp"
#include "spec/cause.hpp"

namespace cellproof::campaign {

/// The causes of an engine with these findings. `is_over`: is there no time left? `ask`: the engine, for cases that are
/// made to tell causes apart; may be empty.
std::vector<Cause> causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept,
                             const EngineUnderTest& engine, const std::function<bool()>& is_over,
                             const engines::Probe& ask = {});

/// The same as the engine's note EngineNote::Causes; "" where it has none. Their titles come into the issues that lie
/// in the findings' reduced folders, below the folder of a report.
std::string note_causes(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                        const std::filesystem::path& report, const std::function<bool()>& is_over,
                        const engines::Probe& ask = {});

}  // namespace cellproof::campaign
