#pragma once

#include <optional>
#include <string>

#include "engines/engine.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// Runs a valid case on one of our engines and judges what it did. Returns what is wrong, with a line that shows it
/// again; nullopt for a pass. Our engines run every valid case, so that a refusal is wrong, too; UNDECIDED is nobody's
/// fault. `crosschecked`: the naive reference sees a case that passes as well. It sees each that fails.
std::optional<std::string> complaint_about(engines::Engine& engine, const Case& c, bool crosschecked);

}  // namespace cellproof::fuzz
