#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/kept_answers.hpp"

namespace cellproof::campaign {

/// The causes of an engine with these findings as its note EngineNote::Causes has them; "" where it has none.
/// `is_over`: is there no time left?
std::string causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over);

}  // namespace cellproof::campaign
