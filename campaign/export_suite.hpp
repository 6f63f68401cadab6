#pragma once

#include <cstdint>
#include <filesystem>

#include "corpus/suite.hpp"

namespace cellproof::campaign {

/// Writes every case of the suite as a backend-test directory below `folder`, named after the case. Expected outputs
/// come from the reference, rounded once; data.json carries the smallest rtol and atol that no honest implementation
/// under the type's default contract exceeds (by the oracle's forward bound), the case line, and for invalid cases the
/// clause that refuses them. Returns the number of directories. Throws corpus::CorpusError when one cannot be written.
std::int64_t export_suite(const corpus::Suite& suite, const std::filesystem::path& folder);

}  // namespace cellproof::campaign
