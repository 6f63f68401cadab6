#include <utility>

#include "corpus/regression.hpp"
#include "corpus/suites/suites.hpp"

namespace cellproof::corpus::catalogue {

std::vector<SuiteCase> regressions() {
  std::vector<SuiteCase> cases;
  for (Regression& regression : read_regressions(regressions_folder()))
    cases.push_back({std::move(regression.name), std::move(regression.c)});
  return cases;
}

}  // namespace cellproof::corpus::catalogue
