#pragma once

#include <span>

#include "engines/worker_engine.hpp"
#include "spec/engine_note.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Puts into words what an engine's workers did that no case is charged with: Memory, Starts, Idle, LeftBehind.
EngineNotes notes_of(std::span<const engines::WorkerNotes> workers);

/// Names the cases that took the engine far longer than cases of their operator and size do: Slow; and says how much
/// of the suite of published models works: Deployed. Nothing where there is nothing to say. `findings`: of one engine.
EngineNotes notes_of(std::span<const Finding> findings);

}  // namespace cellproof::campaign
