#include "campaign/case_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>

#include "campaign/case_line.hpp"
#include "corpus/backend_test.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "cellproof-case/";

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

std::vector<corpus::SuiteCase> cases_of_directory(std::string_view command, const fs::path& directory) {
  const corpus::BackendTest test = corpus::read_backend_test(directory);
  std::vector<corpus::SuiteCase> cases;
  for (const corpus::DataSet& data_set : test.data_sets) {
    const std::string name = fmt::format("{}/test_data_set_{}", directory.string(), data_set.number);
    if (!data_set.joined.empty())
      throw std::invalid_argument(
          fmt::format("{0}: holds {1} recurrent nodes, expected one; `cellproof check {0}` judges them together, and "
                      "`cellproof check {0}/model.onnx --inputs {2} --engine ENGINE --export DIR` writes each that "
                      "fails as a folder for {3}",
                      directory.string(), data_set.joined.size(), name, command));
    const auto declared = declared_case(test.case_line, data_set.problem);
    cases.push_back({name, declared ? *declared : case_of(data_set.problem)});
  }
  if (cases.empty())
    throw std::invalid_argument(fmt::format("{}: holds no test_data_set_N, expected at least one", directory.string()));
  return cases;
}

std::vector<corpus::SuiteCase> cases_of_file(std::string_view command, const fs::path& file, CaseLines expected) {
  if (file.extension() == ".onnx")
    throw std::invalid_argument(
        fmt::format("{0}: a model, expected a case; `cellproof check {0} --engine ENGINE --export DIR` writes each of "
                    "its nodes that fails as a folder for {1}",
                    file.string(), command));
  std::vector<corpus::SuiteCase> cases;
  for (const std::string& line : lines_of_case_file(file)) {
    if (line.empty() || line.front() == '#') continue;
    if (expected == CaseLines::One && !line.starts_with(mark)) continue;  // a README of ours, or a regression's story
    if (expected == CaseLines::One && !cases.empty())
      throw std::invalid_argument(fmt::format("{}: holds several case lines, expected one", file.string()));
    cases.push_back({"", case_of_line(line)});
  }
  if (cases.empty())
    throw std::invalid_argument(fmt::format("{}: holds no case line, expected {}", file.string(),
                                            expected == CaseLines::One ? "one" : "at least one"));
  return cases;
}

}  // namespace

std::vector<corpus::SuiteCase> cases_of_source(std::string_view command, const std::string& argument,
                                               CaseLines expected) {
  if (argument.starts_with(mark)) return {{"", case_of_line(argument)}};
  std::error_code error;
  if (fs::is_directory(argument, error)) return cases_of_directory(command, argument);
  if (fs::exists(argument, error)) return cases_of_file(command, argument, expected);
  throw std::invalid_argument(
      fmt::format("{} {}: expected a line that begins with {}, a file that holds {}, or a backend-test directory",
                  command, argument, mark, expected == CaseLines::One ? "one" : "such lines"));
}

}  // namespace cellproof::campaign
