#pragma once

#include <string>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::lab {

/// Returns the suites that names of suites or tiers stand for, each once; smoke for no name.
std::vector<std::string> suites_of(const std::vector<std::string>& names_given);

/// Returns the cases of suites, in order.
std::vector<corpus::SuiteCase> cases_of(const std::vector<std::string>& suites);

/// Reads a file of case lines, each case named by its line's number from 1. Throws std::invalid_argument (file, line,
/// what was expected).
std::vector<corpus::SuiteCase> cases_of_file(const std::string& file);

}  // namespace cellproof::lab
