#pragma once

#include <cstdint>
#include <filesystem>

#include "corpus/suite.hpp"

namespace cellproof::campaign {

/// Writes every case of the suite as a backend-test directory below `folder` (campaign/export_case.hpp), named after
/// the case. Returns the number of directories. Throws corpus::CorpusError when one cannot be written.
std::int64_t export_suite(const corpus::Suite& suite, const std::filesystem::path& folder);

}  // namespace cellproof::campaign
