#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::text {

// The atoms of the case text: numbers, strings, lists and shapes, written in one way only and read strictly. Everything
// that reads throws Expected, and the caller adds where it stood.

/// Text that should have stood there: "an integer from 0 to 7".
struct Expected {
  std::string what;
};

std::string write(std::int64_t value);
std::int64_t read_integer(std::string_view text, std::int64_t lowest, std::int64_t highest);
std::int64_t read_any_integer(std::string_view text);
std::uint64_t read_seed(std::string_view text);

/// Shortest decimal text that gives the same bits back; "inf", "-inf", "nan", "-0", and "0x7fc00001" for any other NaN.
std::string write(float value);
std::string write(double value);
float read_float(std::string_view text);
double read_double(std::string_view text);

/// Letters, digits, '_', '-' and '.' stand for themselves, every other byte as %XX: any string can be written.
std::string escape(std::string_view text);
/// As escape, and '/' stands for itself.
std::string escape_path(std::string_view text);
std::string unescape(std::string_view text);

/// "2x3x5", "scalar"
std::string write(const Shape& shape);
Shape read_shape(std::string_view text);

std::string write_hex(std::span<const std::byte> bytes);
std::vector<std::byte> read_hex(std::string_view text);

/// The parts between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// "[]" for an empty list, so that it differs from a list of one empty string.
template <typename List, typename Write>
std::string write_list(const List& list, char separator, const Write& write_one) {
  if (list.empty()) return "[]";
  std::string result;
  for (std::size_t i = 0; i < list.size(); ++i) result += (i ? std::string(1, separator) : "") + write_one(list[i]);
  return result;
}

template <typename Read>
auto read_list(std::string_view text, char separator, const Read& read_one) {
  std::vector<decltype(read_one(text))> result;
  if (text == "[]") return result;
  for (const std::string_view part : split(text, separator)) result.push_back(read_one(part));
  return result;
}

}  // namespace cellproof::text
