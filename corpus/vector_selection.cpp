#include "corpus/vector_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <utility>

#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/project_root.hpp"
#include "spec/case_text.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::string_view first_line = "cellproof-vectors ";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 22;
constexpr std::string_view kills_key = "kills:", tells_key = "tells:";

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

/// The lines of a selection, one after the other.
class SelectionLines {
 public:
  SelectionLines(std::string_view text, const std::string& file) : stream_{std::string(text)}, file_(file) {}

  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(stream_, line_));
  }
  const std::string& line() const { return line_; }
  /// The words behind the key that the next line has to begin with.
  std::vector<std::string> words_behind(std::string_view key) {
    if (!next() || !line_.starts_with(key)) fail(fmt::format("'{} ...'", key));
    return words_of(std::string_view(line_).substr(key.size()));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    refuse(fmt::format("{}:{}", file_, number_), in_quotes(line_), expected);
  }

 private:
  std::istringstream stream_;
  const std::string& file_;
  std::string line_;
  int number_ = 0;
};

}  // namespace

std::string to_text(const VectorSelection& selection) {
  std::string text = fmt::format("{}{}\n", first_line, selection.version);
  for (const SelectedVector& each : selection.cases) {
    text += fmt::format("\n{}\n{} {}\n{} {}\n{}\n", each.name, kills_key, fmt::join(each.kills, " "), tells_key,
                        fmt::join(each.tells, " "), to_text(each.c));
  }
  return text;
}

VectorSelection parse_vector_selection(std::string_view text, const std::string& file) {
  SelectionLines lines(text, file);
  VectorSelection selection;
  if (!lines.next() || !lines.line().starts_with(first_line)) lines.fail("'cellproof-vectors VERSION'");
  selection.version = lines.line().substr(first_line.size());
  while (lines.next()) {
    if (lines.line().empty()) continue;
    SelectedVector each;
    each.name = lines.line();
    each.kills = lines.words_behind(kills_key);
    each.tells = lines.words_behind(tells_key);
    if (!lines.next()) lines.fail("a case line");
    try {
      each.c = parse_case(lines.line());
    } catch (const CaseTextError& error) {
      lines.fail(error.what());
    }
    selection.cases.push_back(std::move(each));
  }
  return selection;
}

std::filesystem::path vector_selection_file() {
  return project_root() / "corpus" / "vectors" / "selection.txt";
}

VectorSelection read_vector_selection(const std::filesystem::path& file) {
  return parse_vector_selection(read_file(file, most_bytes), file.string());
}

std::string read_vector_changelog() {
  return read_file(vector_selection_file().parent_path() / "CHANGELOG.md", most_bytes);
}

}  // namespace cellproof::corpus
