#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::campaign {

/// Number of case lines that a file may hold.
enum class CaseLines { One, Any };

/// Reads what `replay` or `reduce` (`command`) is given: the case of a line, those of a file's lines, or of each data
/// set of a backend-test directory, in order. Blank lines and lines that begin with # are left out. A directory that
/// says of itself which case it is, and holds just that, is that case; any other has its tensors as literals, and a
/// name. Throws CaseTextError, corpus::CorpusError or std::invalid_argument: what, where, what was expected; of a model
/// and of several recurrent nodes in one directory it names the command to go on with.
std::vector<corpus::SuiteCase> cases_of_source(std::string_view command, const std::string& argument,
                                               CaseLines expected);

}  // namespace cellproof::campaign
