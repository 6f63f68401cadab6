#include "spec/rules/shape_rule.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace cellproof::rules {
namespace {

/// One dimension of a rule: `factor` times the size of a symbol.
struct Term {
  int factor = 1;
  char symbol = 'H';
};

constexpr std::string_view separator = " or ";

std::vector<std::string_view> alternatives(std::string_view rule) {
  std::vector<std::string_view> list;
  for (std::size_t end = rule.find(separator); end != std::string_view::npos; end = rule.find(separator)) {
    list.push_back(rule.substr(0, end));
    rule.remove_prefix(end + separator.size());
  }
  list.push_back(rule);
  return list;
}

/// "[D,4H,I]" -> {1,D} {4,H} {1,I}
std::vector<Term> terms(std::string_view alternative) {
  std::vector<Term> list;
  Term term;
  for (const char c : alternative) {
    if (c >= '1' && c <= '9') {
      term.factor = c - '0';
    } else if (c >= 'A' && c <= 'Z') {
      term.symbol = c;
    } else if (c == ',' || c == ']') {
      list.push_back(term);
      term = {};
    } else if (c != '[') {
      throw std::logic_error(fmt::format("shape rule '{}' cannot be read", alternative));
    }
  }
  return list;
}

bool fits(const Term& term, const Sizes& sizes, std::int64_t dimension) {
  const auto size = sizes.of(term.symbol);
  return !size || (dimension % term.factor == 0 && dimension / term.factor == *size);
}

bool fits_one(std::string_view alternative, const Sizes& sizes, const Shape& shape) {
  const std::vector<Term> expected = terms(alternative);
  if (expected.size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!fits(expected[i], sizes, shape[i])) return false;
  }
  return true;
}

std::string text(const Term& term, const Sizes& sizes) {
  const auto size = sizes.of(term.symbol);
  if (size && term.factor == 1) return fmt::format("{}", *size);
  if (size && *size >= 0 && *size <= (std::int64_t{1} << 40)) return fmt::format("{}", term.factor * *size);
  return term.factor == 1 ? std::string(1, term.symbol) : fmt::format("{}{}", term.factor, term.symbol);
}

}  // namespace

std::optional<std::int64_t> Sizes::of(char symbol) const {
  switch (symbol) {
    case 'T':
      return T;
    case 'N':
      return N;
    case 'I':
      return I;
    case 'H':
      return H;
    case 'D':
      return D;
    default:
      throw std::logic_error(fmt::format("a shape rule names the unknown size {}", symbol));
  }
}

bool fits(std::string_view rule, const Sizes& sizes, const Shape& shape) {
  for (const std::string_view alternative : alternatives(rule)) {
    if (fits_one(alternative, sizes, shape)) return true;
  }
  return false;
}

std::string expected_shape(std::string_view rule, const Sizes& sizes) {
  std::string result;
  for (const std::string_view alternative : alternatives(rule)) {
    std::string dimensions;
    for (const Term& term : terms(alternative)) {
      dimensions += (dimensions.empty() ? "" : ",") + text(term, sizes);
    }
    result += fmt::format("{}[{}]", result.empty() ? "" : separator, dimensions);
  }
  return result;
}

}  // namespace cellproof::rules
