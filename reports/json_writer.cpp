#include "reports/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view hex_digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += hex_digits[byte >> 4];
    hex += hex_digits[byte & 15];
  }
  return hex;
}

/// Is it the same in JSON as it is?
bool is_plain(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\'; });
}

}  // namespace

void JsonWriter::separate() {
  if (follows_) json_ += ',';
  follows_ = true;
}

void JsonWriter::quote(std::string_view utf8) {
  if (is_plain(utf8)) {
    json_ += '"';
    json_ += utf8;
    json_ += '"';
  } else {
    json_ += nlohmann::json(utf8).dump();
  }
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  json_ += '{';
  follows_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  json_ += '}';
  follows_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  json_ += '[';
  follows_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  json_ += ']';
  follows_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  json_ += ':';
  follows_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  if (is_utf8(value)) {
    separate();
    quote(value);
    return *this;
  }
  return begin_object().key("text").text(repaired_utf8(value)).key("hex").text(to_hex(value)).end_object();
}

JsonWriter& JsonWriter::number(const std::optional<double>& value) {
  if (!value) return null();
  if (std::isnan(*value)) return text("nan");
  if (std::isinf(*value)) return text(*value > 0 ? "inf" : "-inf");
  separate();
  json_ += nlohmann::json(*value).dump();
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  json_ += fmt::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  json_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  json_ += "null";
  return *this;
}

JsonWriter& JsonWriter::texts(const std::vector<std::string>& values) {
  begin_array();
  for (const std::string& value : values) text(value);
  return end_array();
}

JsonWriter& JsonWriter::pairs(const std::vector<std::pair<std::string, std::string>>& values) {
  begin_array();
  for (const auto& [first, second] : values) begin_array().text(first).text(second).end_array();
  return end_array();
}

}  // namespace cellproof::reports
