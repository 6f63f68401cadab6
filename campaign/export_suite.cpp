#include "campaign/export_suite.hpp"

#include <string>

#include "campaign/export_case.hpp"
#include "campaign/progress.hpp"

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
    export_case(suite_case.c, folder / folder_name(suite_case.name));
    progress.advance("");
  }
  return static_cast<std::int64_t>(suite.cases.size());
}

}  // namespace cellproof::campaign
