#include "lab/mutation/suite_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "campaign/case_line.hpp"
#include "fuzz/suites.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {

std::vector<std::string> suites_of(const std::vector<std::string>& names_given) {
  if (names_given.empty()) return {"smoke"};
  std::vector<std::string> names;
  for (const std::string& argument : names_given) {
    for (std::string& name : fuzz::expand_suite_argument(argument)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<corpus::SuiteCase> cases_of(const std::vector<std::string>& suites) {
  std::vector<corpus::SuiteCase> cases;
  for (const std::string& name : suites) std::ranges::move(fuzz::load_suite(name).cases, std::back_inserter(cases));
  return cases;
}

std::vector<corpus::SuiteCase> cases_of_file(const std::string& file) {
  std::vector<corpus::SuiteCase> cases;
  std::size_t number = 0;
  for (const std::string& line : campaign::lines_of_case_file(file)) {
    ++number;
    try {
      if (!line.empty()) cases.push_back({fmt::format("{}", number), parse_case(line)});
    } catch (const CaseTextError& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  return cases;
}

}  // namespace cellproof::lab
