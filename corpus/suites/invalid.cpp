#include <fmt/format.h>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/invalid_parts.hpp"
#include "corpus/suites/suites.hpp"

namespace cellproof::corpus::catalogue {

std::vector<Breach> breaches_of(const Case& valid, Breaches wanted) {
  std::vector<Breach> breaches;
  break_attributes(valid, wanted, breaches);
  break_arguments(valid, wanted, breaches);
  break_shapes(valid, wanted, breaches);
  return breaches;
}

std::vector<SuiteCase> invalid() {
  std::vector<SuiteCase> result;
  for (const auto version : all_operator_versions()) {
    for (auto& breach : breaches_of(basis(version), Breaches::ThatTellVersions)) {
      result.push_back({fmt::format("{}/{}/{}", to_string(version), breach.rule, breach.way), std::move(breach.c)});
    }
  }
  return result;
}

}  // namespace cellproof::corpus::catalogue
