#include "reports/json_values.hpp"

#include <cmath>
#include <limits>

namespace cellproof::reports {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string from_hex(const std::string& hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("not a finding: odd number of hex digits");
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto high = digits.find(hex[i]);
    const auto low = digits.find(hex[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
      throw std::invalid_argument("not a finding: \"" + hex.substr(i, 2) + "\" is not a byte in hex");
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace

std::string text_from_json(const Json& json) {
  if (json.is_object()) return from_hex(json.at("hex").get<std::string>());
  return json.get<std::string>();
}

Json number_to_json(const std::optional<double>& number) {
  if (!number) return nullptr;
  if (std::isnan(*number)) return "nan";
  if (std::isinf(*number)) return *number > 0 ? "inf" : "-inf";
  return *number;
}

std::optional<double> number_from_json(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return required_number(json);
}

double required_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw std::invalid_argument("not a finding: \"" + text + "\" is not a number");
}

std::vector<std::string> texts_from_json(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& text : json) texts.push_back(text_from_json(text));
  return texts;
}

std::vector<std::pair<std::string, std::string>> pairs_from_json(const Json& json) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : json) pairs.emplace_back(text_from_json(pair.at(0)), text_from_json(pair.at(1)));
  return pairs;
}

}  // namespace cellproof::reports
