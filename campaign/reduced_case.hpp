#pragma once

#include <filesystem>
#include <string>

#include "spec/case.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Describes a reduced finding to somebody who has nothing but its folder: what is wrong with which engine, which
/// element it is, what it needs, and how to see it again, with the engine's own Python package alone or with Cellproof.
/// Markdown, ten lines. `smallest`: the reduced case; `engine_argument`: what `--engine` takes.
std::string describe_reduced_case(const Finding& finding, const Case& smallest, const std::string& engine_argument);

/// Writes the reduced case of a finding that has one as a backend-test directory with that text as README.md, and the
/// script that it speaks of (run.py), and the text of an issue (ISSUE.md). A folder of that name is replaced, once the
/// new one is complete. Throws corpus::CorpusError or std::system_error when it cannot be written; then nothing of it
/// is left.
void write_reduced_folder(const Finding& finding, const Case& smallest, const std::string& engine_argument,
                          const std::filesystem::path& folder);

/// The same below the folder of a report, named after engine and case. Returns its path relative to `report`.
std::string write_reduced_case(const Finding& finding, const std::string& engine_argument,
                               const std::filesystem::path& report);

/// Writes the issue's text in such a folder again, now that the run has found its cause; all of it where it has gone.
void name_issue(const Finding& finding, const Cause& cause, const std::filesystem::path& folder);

}  // namespace cellproof::campaign
