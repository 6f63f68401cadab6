#include "corpus/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/project_root.hpp"
#include "spec/case_text.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{1} << 20;

struct Field {
  std::string_view key;
  std::string Regression::*value;
};
constexpr std::array fields{Field{"found", &Regression::found}, Field{"found by", &Regression::found_by},
                            Field{"found in", &Regression::found_in}, Field{"was", &Regression::was}};

constexpr const char* a_line = "'found: YYYY-MM-DD', 'found by: ', 'found in: ', 'was: ', then the case line";

/// YYYY-MM-DD, and a day of the calendar.
bool is_day(const std::string& text) {
  constexpr std::string_view shape = "0000-00-00";
  const bool has_shape =
      std::ranges::equal(text, shape, [](char c, char like) { return like == '0' ? c >= '0' && c <= '9' : c == like; });
  if (!has_shape) return false;
  const auto number = [&](std::size_t from, std::size_t count) { return std::stoi(text.substr(from, count)); };
  using std::chrono::year, std::chrono::month, std::chrono::day;
  return (year(number(0, 4)) / month(static_cast<unsigned>(number(5, 2))) / day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

void read_field(const std::string& where, const std::string& line, Regression& regression) {
  const std::size_t colon = line.find(": ");
  const auto field = std::ranges::find(fields, std::string_view(line).substr(0, colon), &Field::key);
  if (colon == std::string::npos || field == fields.end()) refuse(where, in_quotes(line), a_line);
  std::string& value = regression.*(field->value);
  if (!value.empty()) refuse(where, in_quotes(line), fmt::format("'{}' once", field->key));
  value = line.substr(colon + 2);
}

}  // namespace

Regression read_regression(const fs::path& file) {
  Regression regression;
  regression.name = file.stem().string();
  std::istringstream text(read_file(file, largest_file));
  bool has_case = false;
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string where = fmt::format("{}:{}", file.string(), ++number);
    if (line.empty()) continue;
    if (has_case) refuse(where, "a line behind the case", "the end");
    if (!line.starts_with("cellproof-case/")) {
      read_field(where, line, regression);
      continue;
    }
    try {
      regression.c = parse_case(line);
    } catch (const CaseTextError& error) {
      refuse(where, error.what(), "a case line that this version reads");
    }
    has_case = true;
  }
  for (const Field& field : fields) {
    if ((regression.*(field.value)).empty()) refuse(file.string(), fmt::format("'{}' is missing", field.key), a_line);
  }
  if (!is_day(regression.found)) refuse(file.string(), "found: " + in_quotes(regression.found), "a date, YYYY-MM-DD");
  if (!has_case) refuse(file.string(), "the case line is missing", a_line);
  return regression;
}

std::vector<Regression> read_regressions(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (entry.path().extension() == ".case") files.push_back(entry.path());
  }
  if (files.empty()) refuse(folder.string(), "there is no case in it", "the files NAME.case of corpus/regressions");
  std::ranges::sort(files);
  std::vector<Regression> regressions;
  regressions.reserve(files.size());
  for (const fs::path& file : files) regressions.push_back(read_regression(file));
  return regressions;
}

fs::path regressions_folder() {
  return project_root() / "corpus" / "regressions";
}

}  // namespace cellproof::corpus
