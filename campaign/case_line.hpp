#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::campaign {

/// The case that a line says, of which a problem can be made. Throws CaseTextError (what, where, what was expected) for
/// a line that cannot be read, and for sizes whose tensors no engine is given.
Case case_of_line(const std::string& line);

/// The lines of a file that holds case lines, whatever they say. Throws std::invalid_argument as read_regular_file
/// does.
std::vector<std::string> lines_of_case_file(const std::filesystem::path& file);

}  // namespace cellproof::campaign
