#pragma once

#include <span>

#include "engines/worker_engine.hpp"
#include "spec/engine_note.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Puts into words what an engine's workers did that no case is charged with: Memory, Starts, LeftBehind.
EngineNotes notes_of(std::span<const engines::WorkerNotes> workers);

/// Names the cases that took the engine far longer than cases of their operator and size do: Slow, or nothing.
/// `findings`: of one engine.
EngineNotes notes_of(std::span<const Finding> findings);

}  // namespace cellproof::campaign
