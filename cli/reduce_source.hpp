#pragma once

#include <string>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::cli {

/// Reads what `reduce` is to start from: the case of a line, of a file that holds one line which begins with
/// cellproof-case/, or of each data set of a backend-test directory, in order. A directory that says of itself which
/// case it is, and holds just that, is that case; any other has its tensors as literals. Throws CaseTextError,
/// corpus::CorpusError or std::invalid_argument: what, where, what was expected.
std::vector<corpus::SuiteCase> cases_to_reduce(const std::string& argument);

}  // namespace cellproof::cli
