#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof::reports {

/// JSON with its keys in the order in which they are written. For .cpp files only: a slow header.
using Json = nlohmann::ordered_json;

/// A JSON string, or {"text": the readable part, "hex": all bytes} of what was not UTF-8.
std::string text_from_json(const Json& json);

/// A JSON number in shortest round-trip form; "nan", "inf", "-inf" as strings; nothing as null.
Json number_to_json(const std::optional<double>& number);
std::optional<double> number_from_json(const Json& json);
/// As number_from_json, where null is not allowed. Throws std::invalid_argument.
double required_number(const Json& json);

/// A JSON integer that the type holds. Throws std::invalid_argument for anything else.
template <class Integer>
Integer integer_from_json(const Json& json) {
  if (json.is_number_unsigned() && std::in_range<Integer>(json.get<std::uint64_t>()))
    return static_cast<Integer>(json.get<std::uint64_t>());
  if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<Integer>(json.get<std::int64_t>()))
    return static_cast<Integer>(json.get<std::int64_t>());
  throw std::invalid_argument("not a finding: " + json.dump() + " is not an integer that fits");
}

std::vector<std::string> texts_from_json(const Json& json);

/// [["key", "value"], ...]
std::vector<std::pair<std::string, std::string>> pairs_from_json(const Json& json);

/// Returns what `lookup` (a name -> optional) finds under the JSON string; throws std::invalid_argument: "... is not
/// `what`".
template <class Lookup>
auto named(const Json& json, Lookup lookup, std::string_view what) {
  const auto text = json.get<std::string>();
  if (const auto found = lookup(text)) return *found;
  throw std::invalid_argument("not a finding: \"" + text + "\" is not " + std::string(what));
}

/// The value among `values` whose name is the JSON string; throws std::invalid_argument.
template <class T, class Name>
T among(const Json& json, std::initializer_list<T> values, Name name_of) {
  const auto text = json.get<std::string>();
  for (const T value : values)
    if (name_of(value) == text) return value;
  throw std::invalid_argument("not a finding: \"" + text + "\" is unknown here");
}

}  // namespace cellproof::reports
