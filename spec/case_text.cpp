#include "spec/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "spec/case_input_text.hpp"
#include "spec/case_keys.hpp"
#include "spec/content_hash.hpp"
#include "spec/suggestion.hpp"
#include "spec/text_value.hpp"

namespace cellproof {
namespace {

using text::body_keys, text::header_keys, text::Key, text::position_name;

constexpr std::string_view format_name = "cellproof-case/";
constexpr std::string_view format_version = "cellproof-case/1";

/// The case that the sizes and the operator alone describe.
Case plain_twin(const Case& c) {
  return plain_case(c.version, c.type, c.T, c.N, c.I, c.H);
}

std::string write_case(const Case& c, const std::optional<std::filesystem::path>& directory) {
  std::string line(format_version);
  const auto add = [&line](std::string_view key, std::string_view value) { line += fmt::format(" {}={}", key, value); };
  for (const Key& key : header_keys()) add(key.name, *key.write(c));
  for (const Key& key : body_keys()) {
    if (const auto value = key.write(c)) add(key.name, *value);
  }
  const auto names = input_names(c.version.op);
  Case written = c;  // equal inputs have equal text: the lists are made as long as the operator's
  while (written.inputs.size() < names.size()) {
    written.inputs.push_back(plain_input(c.version.op, written.inputs.size()));
    written.inputs.back().presence = Presence::Absent;
  }
  for (std::size_t i = 0; i < written.inputs.size(); ++i) {
    if (written.inputs[i] == plain_input(c.version.op, i)) continue;
    add(position_name(names, "input", i), text::write_input(written, i, directory));
  }
  const std::string outputs = text::write_outputs(c);
  if (outputs != text::write_outputs(plain_twin(c))) add("outputs", outputs);
  return line;
}

/// A piece of the line that can stand in a message: short and printable.
std::string shown(std::string_view piece) {
  std::string result;
  for (const char c : piece.substr(0, 60)) {
    result += c > ' ' && c <= '~' ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return piece.size() > 60 ? result + "..." : result;
}

/// The words of a line, and what they say by key. What has not been taken in the end is unknown.
class FieldWords {
 public:
  explicit FieldWords(std::string_view line) {
    constexpr std::string_view blanks = " \t\r\n";
    bool first = true;
    for (std::size_t begin = 0; (begin = line.find_first_not_of(blanks, begin)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
      const std::string_view word = line.substr(begin, end - begin);
      first ? check_version(word) : add(word);
      first = false;
      begin = end;
    }
    if (first)
      throw CaseTextError("case text: the line is empty, expected it to begin with " + std::string(format_version));
  }

  std::optional<std::string_view> take(std::string_view key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    const std::string_view value = found->second;
    values_.erase(found);
    return value;
  }

  /// Takes the key and reads its value, where it is there.
  void read(std::string_view key, const std::function<void(std::string_view)>& reader) {
    const auto value = take(key);
    if (!value) return;
    try {
      reader(*value);
    } catch (const text::Expected& expected) {
      throw CaseTextError(fmt::format("case text: {}={}: expected {}", key, shown(*value), expected.what));
    }
  }

  void check_nothing_left(Operator op) const {
    if (values_.empty()) return;
    std::vector<std::string_view> keys;
    for (const auto* table : {&header_keys(), &body_keys()}) {
      for (const Key& key : *table) keys.push_back(key.name);
    }
    for (const std::string_view input : input_names(op)) keys.push_back(input);
    keys.emplace_back("outputs");
    const std::string unknown = shown(values_.begin()->first);
    throw CaseTextError(fmt::format("case text: unknown key '{}', {}", unknown, expected_one_of(unknown, keys)));
  }

 private:
  static void check_version(std::string_view word) {
    if (word == format_version) return;
    if (word.starts_with(format_name)) {
      throw CaseTextError(
          fmt::format("case text: {} is another version of the format, expected {}", shown(word), format_version));
    }
    throw CaseTextError(fmt::format("case text: the line begins with '{}', expected {}", shown(word), format_version));
  }

  void add(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      throw CaseTextError(fmt::format("case text: '{}' has no value, expected KEY=VALUE", shown(word)));
    }
    const std::string_view key = word.substr(0, equals);
    if (!values_.emplace(key, word.substr(equals + 1)).second) {
      throw CaseTextError(fmt::format("case text: key '{}' is repeated, expected it once", shown(key)));
    }
  }

  std::map<std::string_view, std::string_view> values_;
};

}  // namespace

std::string to_text(const Case& c) {
  return write_case(c, std::nullopt);
}

std::string to_text(const Case& c, const std::filesystem::path& directory) {
  return write_case(c, directory);
}

Case parse_case(std::string_view line) {
  FieldWords words(line);
  Case c;
  bool has_operator = false;
  for (const Key& key : header_keys()) {
    words.read(key.name, [&](std::string_view value) {
      key.read(c, value);
      has_operator = has_operator || key.name == "op";
    });
  }
  if (!has_operator) throw CaseTextError("case text: the key op is missing, expected for example op=LSTM-22");
  c = plain_twin(c);
  for (const Key& key : body_keys()) {
    words.read(key.name, [&](std::string_view value) { key.read(c, value); });
  }
  const auto names = input_names(c.version.op);
  for (std::size_t i = 0; i < text::most_positions; ++i) {
    words.read(position_name(names, "input", i), [&](std::string_view value) { text::read_input(c, i, value); });
  }
  words.read("outputs", [&](std::string_view value) { text::read_outputs(c, value); });
  words.check_nothing_left(c.version.op);
  return c;
}

std::string case_hash(const Case& c) {
  return content_hash(to_text(c));
}

}  // namespace cellproof
