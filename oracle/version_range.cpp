#include "oracle/version_range.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <compare>
#include <stdexcept>

namespace cellproof::oracle {
namespace {

constexpr std::string_view expected = "expected versions such as \">=1.31,<1.32\", \"==1.31.1\" or \"*\"";

/// The numbers at the front of a version, without zeros at their end; what follows them stays in `text`.
std::vector<int> take_numbers(std::string_view& text) {
  std::vector<int> numbers;
  int number = 0;
  for (;;) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const bool goes_on = text.size() > 1 && text[0] == '.' && text[1] >= '0' && text[1] <= '9';
    if (!goes_on) break;
    text.remove_prefix(1);
  }
  while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
  return numbers;
}

}  // namespace

VersionRange::VersionRange(std::string_view text) : text_(text) {
  if (text == "*") return;
  struct Sign {
    std::string_view text;
    Relation relation;
  };
  constexpr std::array relations{Sign{">=", Relation::AtLeast}, Sign{"<=", Relation::AtMost},
                                 Sign{"==", Relation::Equal}, Sign{">", Relation::More}, Sign{"<", Relation::Less}};
  const auto wrong = [&] { return std::invalid_argument(fmt::format("\"{}\": {}", text_, expected)); };
  for (std::string_view rest = text;;) {
    const auto* relation = relations.begin();
    while (relation != relations.end() && !rest.starts_with(relation->text)) ++relation;
    if (relation == relations.end()) throw wrong();
    rest.remove_prefix(relation->text.size());
    const std::size_t before = rest.size();
    bounds_.push_back({relation->relation, take_numbers(rest)});
    if (rest.size() == before) throw wrong();
    if (rest.empty()) return;
    if (rest.front() != ',') throw wrong();
    rest.remove_prefix(1);
  }
}

bool VersionRange::contains(std::string_view version) const {
  const std::vector<int> numbers = take_numbers(version);
  for (const auto& [relation, bound] : bounds_) {
    const std::strong_ordering order = numbers <=> bound;
    const bool holds = (relation == Relation::Less && order < 0) || (relation == Relation::AtMost && order <= 0) ||
                       (relation == Relation::Equal && order == 0) || (relation == Relation::AtLeast && order >= 0) ||
                       (relation == Relation::More && order > 0);
    if (!holds) return false;
  }
  return true;
}

}  // namespace cellproof::oracle
