#include "lab/cudnn_probe/words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace cellproof::cudnn::probe {

const char* type_name(int type) {
  return type == data::float64   ? "double"
         : type == data::float32 ? "float"
         : type == data::float16 ? "float16"
                                 : "bfloat16";
}

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string failure(const Answer& answer) {
  return "status " + std::to_string(answer.status) + ", " + answer.where;
}

std::string shape_words(int directions, const std::vector<int>& lengths) {
  std::string text = directions == 2 ? " bidirectional" : " forward";
  if (lengths.empty()) return text + ", full";
  text += ", lengths";
  for (const int length : lengths) text += " " + std::to_string(length);
  return text;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const double here = std::fabs(a[i] - b[i]); !(here <= most)) most = here;
  return most;
}

bool same_bits(const Answer& a, const Answer& b) {
  const auto same = [](const std::vector<double>& p, const std::vector<double>& q) {
    return std::ranges::equal(
        p, q, {}, [](double v) { return std::bit_cast<std::uint64_t>(v); },
        [](double v) { return std::bit_cast<std::uint64_t>(v); });
  };
  return same(a.y, b.y) && same(a.h, b.h) && same(a.c, b.c);
}

std::string compared(const Answer& expected, const Answer& actual) {
  if (expected.status != status::success) return "what it is compared with: " + failure(expected);
  if (actual.status != status::success) return failure(actual);
  return same_bits(expected, actual) ? "the same bits" : "OTHER BITS, " + distances(actual, expected);
}

std::string distances(const Answer& answer, const Answer& from) {
  std::string text = "y " + number(distance(answer.y, from.y)) + ", h " + number(distance(answer.h, from.h));
  return answer.c.empty() ? text : text + ", c " + number(distance(answer.c, from.c));
}

}  // namespace cellproof::cudnn::probe
