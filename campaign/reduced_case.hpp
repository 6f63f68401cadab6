#pragma once

#include <filesystem>
#include <string>

#include "spec/finding.hpp"

namespace cellproof::campaign {

/// What a reduced finding is to somebody who has nothing but its folder: what is wrong with which engine, what it
/// needs, and how to see it again. Markdown, ten lines. `engine_argument`: what `--engine` takes.
std::string describe_reduced_case(const Finding& finding, const std::string& engine_argument);

/// Writes the reduced case of a finding that has one as a backend-test directory with that text as README.md, and
/// returns its path relative to `report`; one of the same case and engine is replaced. Throws corpus::CorpusError or
/// std::system_error when it cannot be written.
std::string write_reduced_case(const Finding& finding, const std::string& engine_argument,
                               const std::filesystem::path& report);

}  // namespace cellproof::campaign
