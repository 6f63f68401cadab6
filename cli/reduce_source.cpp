#include "cli/reduce_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>

#include "campaign/case_line.hpp"
#include "corpus/backend_test.hpp"
#include "spec/case_text.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

/// The case that a directory of ours says it is, where its files hold that very problem.
std::optional<Case> declared_case(const std::string& line, const Problem& problem) {
  if (line.empty()) return std::nullopt;
  try {
    Case c = parse_case(line);
    return make_problem(c) == problem ? std::optional(std::move(c)) : std::nullopt;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // a line of another version, or of files that did not come along
    return std::nullopt;
  }
}

std::vector<corpus::SuiteCase> cases_of_directory(const fs::path& directory) {
  const corpus::BackendTest test = corpus::read_backend_test(directory);
  std::vector<corpus::SuiteCase> cases;
  for (const corpus::DataSet& data_set : test.data_sets) {
    if (!data_set.joined.empty())
      throw std::invalid_argument(
          fmt::format("{}: holds {} recurrent nodes, expected one; `cellproof check {}` judges "
                      "them together",
                      directory.string(), data_set.joined.size(), directory.string()));
    const auto declared = declared_case(test.case_line, data_set.problem);
    cases.push_back({fmt::format("{}/test_data_set_{}", directory.string(), data_set.number),
                     declared ? *declared : case_of(data_set.problem)});
  }
  if (cases.empty())
    throw std::invalid_argument(fmt::format("{}: holds no test_data_set_N, expected at least one", directory.string()));
  return cases;
}

corpus::SuiteCase case_of_file(const fs::path& file) {
  std::string found;
  for (const std::string& line : campaign::lines_of_case_file(file)) {
    if (!line.starts_with("cellproof-case/")) continue;
    if (!found.empty())
      throw std::invalid_argument(fmt::format("{}: holds several case lines, expected one", file.string()));
    found = line;
  }
  if (found.empty()) throw std::invalid_argument(fmt::format("{}: holds no case line, expected one", file.string()));
  return {"", campaign::case_of_line(found)};
}

}  // namespace

std::vector<corpus::SuiteCase> cases_to_reduce(const std::string& argument) {
  if (argument.starts_with("cellproof-case/")) return {{"", campaign::case_of_line(argument)}};
  std::error_code error;
  if (fs::is_directory(argument, error)) return cases_of_directory(argument);
  if (fs::exists(argument, error)) return {case_of_file(argument)};
  throw std::invalid_argument(fmt::format(
      "reduce {}: expected a line that begins with cellproof-case/, a file that holds one, or a backend-test directory",
      argument));
}

}  // namespace cellproof::cli
