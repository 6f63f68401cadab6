#include "spec/presentation.hpp"

#include <array>
#include <cstddef>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<7> dims_names = {"static", "T", "N", "TN", "X", "all", "unranked"};
constexpr NameTable<5> nesting_names = {"flat", "if", "nested-if", "loop", "function"};
constexpr NameTable<2> weights_names = {"stored", "computed"};
constexpr NameTable<2> states_names = {"own", "shared"};

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

std::span<const Weights> all_weights() {
  static constexpr auto all = all_of<Weights>(weights_names);
  return all;
}

std::string_view name(Weights weights) {
  return weights_names.at(static_cast<std::size_t>(weights));
}

std::optional<Weights> weights_named(std::string_view text) {
  return find_name<Weights>(weights_names, text);
}

std::span<const States> all_states() {
  static constexpr auto all = all_of<States>(states_names);
  return all;
}

std::string_view name(States states) {
  return states_names.at(static_cast<std::size_t>(states));
}

std::optional<States> states_named(std::string_view text) {
  return find_name<States>(states_names, text);
}

}  // namespace cellproof
