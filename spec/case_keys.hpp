#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"

namespace cellproof::text {

/// One key of the case text: how it is written (nullopt: it is the default) and read. Reading goes down the tables, so
/// that a key may rely on those above it. Readers throw Expected (spec/text_value.hpp).
struct Key {
  std::string_view name;
  std::function<std::optional<std::string>(const Case&)> write;
  std::function<void(Case&, std::string_view)> read;
};

/// Operator, type and sizes: always written, and what plain_case is made from.
const std::vector<Key>& header_keys();

/// Seed, regime, attributes and presentation: written where they differ from plain_case of the header. Inputs and
/// outputs are not among them (spec/case_input_text.hpp).
const std::vector<Key>& body_keys();

ElementType read_type(std::string_view value);
Regime read_regime(std::string_view value);

/// "a, b, c"
std::string joined(const auto& names) {
  std::string result;
  for (const auto& name : names) result += (result.empty() ? "" : ", ") + std::string(name);
  return result;
}

}  // namespace cellproof::text
