#include "spec/presentation.hpp"

#include <array>
#include <cstddef>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<7> dims_names = {"static", "T", "N", "TN", "X", "all", "unranked"};
constexpr NameTable<5> nesting_names = {"flat", "if", "nested-if", "loop", "function"};

template <typename Enum, std::size_t count>
constexpr auto all_of(const NameTable<count>&) {
  std::array<Enum, count> list{};
  for (std::size_t k = 0; k < count; ++k) list.at(k) = static_cast<Enum>(k);
  return list;
}

}  // namespace

std::span<const Dims> all_dims() {
  static constexpr auto all = all_of<Dims>(dims_names);
  return all;
}

std::string_view name(Dims dims) {
  return dims_names.at(static_cast<std::size_t>(dims));
}

std::optional<Dims> dims_named(std::string_view text) {
  return find_name<Dims>(dims_names, text);
}

std::span<const Nesting> all_nestings() {
  static constexpr auto all = all_of<Nesting>(nesting_names);
  return all;
}

std::string_view name(Nesting nesting) {
  return nesting_names.at(static_cast<std::size_t>(nesting));
}

std::optional<Nesting> nesting_named(std::string_view text) {
  return find_name<Nesting>(nesting_names, text);
}

}  // namespace cellproof
