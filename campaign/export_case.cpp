#include "campaign/export_case.hpp"

#include <optional>
#include <string>

#include "corpus/backend_test.hpp"
#include "oracle/tolerance.hpp"
#include "reference/reference.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {

void export_case(const Case& c, const std::filesystem::path& directory) {
  const Problem problem = make_problem(c);
  const Expectation expectation = expectation_of(problem);
  const std::string line = to_text(c);
  if (expectation.kind == Expectation::Kind::Refuse) {
    corpus::write_backend_test(directory, problem, {}, std::nullopt, expectation.violations.front().clause, line);
    return;
  }
  std::optional<corpus::Tolerance> tolerance;
  if (const auto honest = oracle::honest_tolerance(problem)) tolerance = {honest->rtol, honest->atol};
  corpus::write_backend_test(directory, problem, reference::run(problem), tolerance, std::nullopt, line);
}

}  // namespace cellproof::campaign
