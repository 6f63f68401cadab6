#pragma once

#include <string>
#include <vector>

#include "campaign/check_model.hpp"

namespace cellproof::campaign {

/// Lines on several engines that ran one model: the first node in the graph's order that is wrong, in which engine, and
/// what the others make of it; else by how much their outputs differ although the recurrence is right. "" for one
/// engine.
std::string comparison_text(const std::vector<CheckedModel>& checked);

}  // namespace cellproof::campaign
