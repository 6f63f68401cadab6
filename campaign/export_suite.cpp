#include "campaign/export_suite.hpp"

#include <string>

#include "campaign/progress.hpp"
#include "corpus/backend_test.hpp"
#include "oracle/tolerance.hpp"
#include "reference/reference.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

/// A case's name as a folder's name.
std::string folder_name(const std::string& case_name) {
  std::string name;
  for (const char c : case_name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '=' || c == '.' || c == ',' || c == '+';
    name += plain ? c : '_';
  }
  return name;
}

}  // namespace

std::int64_t export_suite(const corpus::Suite& suite, const std::filesystem::path& folder) {
  Progress progress("export " + suite.name, static_cast<std::int64_t>(suite.cases.size()));
  for (const corpus::SuiteCase& suite_case : suite.cases) {
    const Problem problem = make_problem(suite_case.c);
    const Expectation expectation = expectation_of(problem);
    const std::filesystem::path directory = folder / folder_name(suite_case.name);
    const std::string line = to_text(suite_case.c);
    if (expectation.kind == Expectation::Kind::Refuse) {
      corpus::write_backend_test(directory, problem, {}, std::nullopt, expectation.violations.front().clause, line);
    } else {
      std::optional<corpus::Tolerance> tolerance;
      if (const auto honest = oracle::honest_tolerance(problem)) tolerance = {honest->rtol, honest->atol};
      corpus::write_backend_test(directory, problem, reference::run(problem), tolerance, std::nullopt, line);
    }
    progress.advance("");
  }
  return static_cast<std::int64_t>(suite.cases.size());
}

}  // namespace cellproof::campaign
