#include <fmt/format.h>

#include <algorithm>

#include "oracle/faults/catalogue_rows.hpp"

namespace cellproof::oracle::catalogue {
namespace {

/// "LeakyRelu" as "leaky-relu".
Member hyphenated(std::string_view function) {
  std::string id;
  for (const char c : function) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !id.empty()) id += '-';
    id += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return {id, std::string(function)};
}

}  // namespace

Members each(std::string_view letters) {
  Members list;
  for (const char letter : letters) list.push_back({std::string(1, letter), std::string(1, letter)});
  return list;
}

Member order(std::string_view letters) {
  std::string text;
  for (const char letter : letters) text += std::string(text.empty() ? "" : " ") + letter;
  return {std::string(letters), text};
}

Members orders_but(std::string_view right) {
  std::string letters(right);
  std::ranges::sort(letters);
  Members list;
  do {
    if (letters != right) list.push_back(order(letters));
  } while (std::ranges::next_permutation(letters).found);
  return list;
}

Members functions_with(bool ActivationInfo::*parameter) {
  Members list;
  for (const ActivationInfo& info : activations()) {
    if (info.*parameter) list.push_back(hyphenated(info.name));
  }
  return list;
}

Members functions_but(const std::vector<std::string_view>& left_out) {
  Members list;
  for (const ActivationInfo& info : activations()) {
    if (std::ranges::find(left_out, info.name) == left_out.end()) list.push_back(hyphenated(info.name));
  }
  return list;
}

Members pairs(std::string_view letters) {
  Members list;
  for (const char from : letters) {
    for (const char to : letters) {
      if (from == to) continue;
      list.push_back({fmt::format("{}-for-{}", from, to), fmt::format("{} for gate {}", from, to)});
    }
  }
  return list;
}

}  // namespace cellproof::oracle::catalogue
