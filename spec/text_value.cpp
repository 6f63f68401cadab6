#include "spec/text_value.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace cellproof::text {
namespace {

constexpr std::int64_t largest_dimension = std::int64_t{1} << 40;
constexpr std::size_t largest_rank = 32;

template <typename Number>
bool read_whole(std::string_view text, Number& result) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Number>
using BitsOf = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;

template <typename Number>
constexpr auto plain_nan = std::bit_cast<BitsOf<Number>>(std::numeric_limits<Number>::quiet_NaN());

template <typename Number>
std::string write_floating(Number value) {
  const auto bits = std::bit_cast<BitsOf<Number>>(value);
  if (std::isnan(value)) return bits == plain_nan<Number> ? "nan" : fmt::format("0x{:0{}x}", bits, 2 * sizeof(Number));
  char buffer[64];
  const auto written = std::to_chars(std::begin(buffer), std::end(buffer), value);
  return std::string(buffer, written.ptr);
}

template <typename Number>
Number read_floating(std::string_view text) {
  if (text == "nan") return std::bit_cast<Number>(plain_nan<Number>);
  if (text.starts_with("0x") && text.size() == 2 + 2 * sizeof(Number)) {
    BitsOf<Number> bits = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (error == std::errc() && end == text.data() + text.size()) return std::bit_cast<Number>(bits);
  }
  Number result = 0;
  if (!read_whole(text, result) || std::isnan(result)) {
    throw Expected{fmt::format("a number that a {} can hold, inf, -inf, nan or 0x and {} hex digits",
                               sizeof(Number) == 4 ? "float" : "double", 2 * sizeof(Number))};
  }
  return result;
}

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

std::string escape_but(std::string_view text, char also_plain) {
  std::string result;
  for (const char c : text) {
    if (stands_for_itself(c) || c == also_plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

/// -1 where it is not a hex digit.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string write(std::int64_t value) {
  return std::to_string(value);
}

std::int64_t read_integer(std::string_view text, std::int64_t lowest, std::int64_t highest) {
  std::int64_t result = 0;
  if (!read_whole(text, result) || result < lowest || result > highest) {
    throw Expected{fmt::format("an integer from {} to {}", lowest, highest)};
  }
  return result;
}

std::int64_t read_any_integer(std::string_view text) {
  return read_integer(text, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

std::uint64_t read_seed(std::string_view text) {
  std::uint64_t result = 0;
  if (!read_whole(text, result)) throw Expected{"an integer from 0 to 18446744073709551615"};
  return result;
}

std::string write(float value) {
  return write_floating(value);
}
std::string write(double value) {
  return write_floating(value);
}
float read_float(std::string_view text) {
  return read_floating<float>(text);
}
double read_double(std::string_view text) {
  return read_floating<double>(text);
}

std::string escape(std::string_view text) {
  return escape_but(text, '.');
}
std::string escape_path(std::string_view text) {
  return escape_but(text, '/');
}

std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) throw Expected{"two hex digits after each %"};
    result += static_cast<char>(16 * high + low);
    i += 2;
  }
  return result;
}

std::string write(const Shape& shape) {
  if (shape.empty()) return "scalar";
  return write_list(shape, 'x', [](std::int64_t dimension) { return write(dimension); });
}

Shape read_shape(std::string_view text) {
  if (text == "scalar") return {};
  const auto parts = split(text, 'x');
  if (parts.size() > largest_rank) throw Expected{fmt::format("a shape of at most {} dimensions", largest_rank)};
  Shape result;
  for (const std::string_view part : parts) {
    std::int64_t dimension = 0;
    if (!read_whole(part, dimension) || dimension < 0 || dimension > largest_dimension) {
      throw Expected{"a shape such as 2x3x5, dimensions up to 2^40, or scalar"};
    }
    result.push_back(dimension);
  }
  return result;
}

std::string write_hex(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  result.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    result += digits[std::to_integer<unsigned>(byte) >> 4];
    result += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return result;
}

std::vector<std::byte> read_hex(std::string_view text) {
  std::vector<std::byte> result(text.size() / 2);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) throw Expected{"hex digits only"};
    result[i] = static_cast<std::byte>(16 * high + low);
  }
  if (text.size() % 2) throw Expected{"an even number of hex digits"};
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos; begin = end + 1) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace cellproof::text
