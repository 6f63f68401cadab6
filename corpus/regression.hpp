#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::corpus {

/// A case on which something once went wrong, and what is known of it.
struct Regression {
  std::string name;      ///< of its file, without ".case"
  std::string found;     ///< the day, YYYY-MM-DD
  std::string found_by;  ///< the search that found it, as a command where there is one
  std::string found_in;  ///< the engine and its version, or the part of Cellproof that was wrong
  std::string was;       ///< what went wrong, in a sentence
  Case c;
};

/// Reads one: lines "found: ...", "found by: ...", "found in: ..." and "was: ...", each once, in any order, then the
/// case's line. Throws CorpusError (file, line, what was expected).
Regression read_regression(const std::filesystem::path& file);

/// All "*.case" of a folder, by name. Throws CorpusError where there is none.
std::vector<Regression> read_regressions(const std::filesystem::path& folder);

/// corpus/regressions/ of this project.
std::filesystem::path regressions_folder();

}  // namespace cellproof::corpus
