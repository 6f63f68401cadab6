#include "campaign/searched_note.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

namespace cellproof::campaign {

std::string to_text(const SearchedNote& note) {
  std::string text;
  for (const auto& [name, suite] : note) {
    text += fmt::format("{}{} below {}:", text.empty() ? "" : "; ", name, suite.tried_below);
    const char* separator = " ";
    for (const auto& [result, count] : suite.results) {
      text += fmt::format("{}{} {}", separator, count, result);
      separator = ", ";
    }
  }
  return text;
}

SearchedNote searched_note_of(std::string_view text) {
  SearchedNote note;
  std::istringstream suites{std::string(text)};
  for (std::string part; std::getline(suites, part, ';');) {
    std::istringstream words(part);
    std::string name, below;
    SearchedSuite suite;
    char colon = 0;
    if (!(words >> name >> below >> suite.tried_below >> colon)) continue;
    std::int64_t count = 0;
    for (std::string result; words >> count >> result;) {
      if (result.ends_with(',')) result.pop_back();
      suite.results[result] = count;
    }
    note.emplace(std::move(name), std::move(suite));
  }
  return note;
}

}  // namespace cellproof::campaign
