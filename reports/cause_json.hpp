#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/cause.hpp"

namespace cellproof::reports {

/// An engine's causes as a JSON array (docs/reports.md), which is its note EngineNote::Causes. `are_all`: the search
/// for them was not ended early.
std::string to_json(const std::string& engine, const std::vector<Cause>& causes, bool are_all = true);

/// Reads one back; nullopt for what is none, as in the note of a damaged store.
std::optional<std::vector<Cause>> causes_from_json(std::string_view text);

}  // namespace cellproof::reports
