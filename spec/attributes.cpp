#include "spec/attributes.hpp"

#include <algorithm>
#include <bit>

namespace cellproof {
namespace {

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) { return same(x, y); });
}

template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}

template <typename T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

}  // namespace

bool operator==(const OtherAttribute& a, const OtherAttribute& b) {
  if (a.name != b.name || a.value.index() != b.value.index()) return false;
  return std::visit([&b]<typename T>(const T& value) { return same(value, std::get<T>(b.value)); }, a.value);
}

bool operator==(const Attributes& a, const Attributes& b) {
  return same(a.activation_alpha, b.activation_alpha) && same(a.activation_beta, b.activation_beta) &&
         a.activations == b.activations && same(a.clip, b.clip) && a.direction == b.direction &&
         a.hidden_size == b.hidden_size && a.input_forget == b.input_forget && a.layout == b.layout &&
         a.linear_before_reset == b.linear_before_reset && a.output_sequence == b.output_sequence &&
         a.others == b.others;
}

}  // namespace cellproof
