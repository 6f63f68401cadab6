#pragma once

#include <filesystem>

#include "spec/case.hpp"

namespace cellproof::campaign {

/// Writes a case as a backend-test directory of this name. Expected outputs come from the reference, rounded once;
/// data.json carries the smallest rtol and atol that no honest implementation under the type's default contract exceeds
/// (by the oracle's forward bound), the case line, and for invalid cases the clause that refuses them. Throws
/// corpus::CorpusError when it cannot be written, or is there already.
void export_case(const Case& c, const std::filesystem::path& directory);

}  // namespace cellproof::campaign
