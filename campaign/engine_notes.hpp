#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/worker_engine.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// A note of a run on one of its engines: key and text, as a store keeps it.
using EngineNote = std::pair<std::string, std::string>;

/// Puts into words what an engine's workers did that no case is charged with: "memory", "starts", "left behind".
std::vector<EngineNote> notes_of(std::span<const engines::WorkerNotes> workers);

/// Names the cases that took the engine far longer than cases of their operator and size do: "slow", or nothing.
/// `findings`: of one engine.
std::vector<EngineNote> notes_of(std::span<const Finding> findings);

}  // namespace cellproof::campaign
