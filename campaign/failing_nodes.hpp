#pragma once

#include <filesystem>
#include <string>

#include "campaign/check_model.hpp"

namespace cellproof::campaign {

/// Writes each failing node of a model as a backend test with the model's own tensors, and as outputs what the engine
/// gave: FOLDER/ENGINE/NODE. Sizes are symbols where the model leaves any of its inputs' sizes open. Returns a line for
/// each, which says how it goes on. Throws CorpusError where a folder exists or cannot be written.
std::string write_failing_nodes(const corpus::WholeModel& model, const CheckedModel& checked,
                                const std::filesystem::path& folder);

}  // namespace cellproof::campaign
