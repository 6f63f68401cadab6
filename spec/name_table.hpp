#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace cellproof {

/// The names of an enumeration whose values count up from 0, in declaration order: one table for both ways.
template <std::size_t count>
using NameTable = std::array<std::string_view, count>;

/// The enumerator with that name; nullopt for a name that is not in the table.
template <typename Enum, std::size_t count>
constexpr std::optional<Enum> find_name(const NameTable<count>& table, std::string_view text) {
  for (std::size_t i = 0; i < count; ++i) {
    if (table[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace cellproof
