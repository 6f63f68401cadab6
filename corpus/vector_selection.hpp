#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::corpus {

/// One case of the vectors, and why it is among them.
struct SelectedVector {
  std::string name;                ///< "LSTM-01"
  std::vector<std::string> kills;  ///< ids of faults that fewer of the cases before it find than should
  std::vector<std::string> tells;  ///< readings that it tells from the default, "clip-scope=gates"
  Case c;
  friend bool operator==(const SelectedVector&, const SelectedVector&) = default;
};

/// The cases that the vectors consist of, as `cellproof lab vectors select` chose them.
struct VectorSelection {
  std::string version;  ///< "1.0.0", of the set
  std::vector<SelectedVector> cases;
  friend bool operator==(const VectorSelection&, const VectorSelection&) = default;
};

/// The text of a selection: its version, then for each case its name, what it kills and tells, and its line.
std::string to_text(const VectorSelection& selection);
/// Reads it. Throws CorpusError (file, line, what was expected).
VectorSelection parse_vector_selection(std::string_view text, const std::string& file);

/// corpus/vectors/selection.txt of this project, and what it says.
std::filesystem::path vector_selection_file();
VectorSelection read_vector_selection(const std::filesystem::path& file = vector_selection_file());
/// The text of the changelog beside it.
std::string read_vector_changelog();

}  // namespace cellproof::corpus
