#pragma once

#include <functional>
#include <string>
#include <vector>

#include "causes/engine_model.hpp"

#include "campaign/case_trial.hpp"
#include "campaign/kept_answers.hpp"

namespace cellproof::campaign {

/// The causes of an engine's failures as a JSON array (docs/reports.md), which is its note EngineNote::Causes.
std::string causes_note(const std::string& engine, const std::vector<causes::Cause>& causes);

/// The same of the model of an engine with these findings; "" where it has no causes. `is_over`: is there no time left?
std::string causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over);

}  // namespace cellproof::campaign
