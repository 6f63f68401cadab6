#include <fmt/format.h>

#include "corpus/suites/invalid_parts.hpp"
#include "corpus/suites/suites.hpp"

namespace cellproof::corpus::catalogue {

std::vector<SuiteCase> invalid() {
  std::vector<SuiteCase> result;
  for (const auto version : all_operator_versions()) {
    std::vector<Breach> breaches;
    break_attributes(version, breaches);
    break_arguments(version, breaches);
    break_shapes(version, breaches);
    for (auto& breach : breaches) {
      result.push_back({fmt::format("{}/{}/{}", to_string(version), breach.rule, breach.way), std::move(breach.c)});
    }
  }
  return result;
}

}  // namespace cellproof::corpus::catalogue
