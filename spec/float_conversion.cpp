#include "spec/float_conversion.hpp"

#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

namespace cellproof {
namespace {

/// Field widths of a narrow binary format; the exponent is biased by 2^(exponent-1) - 1, as IEEE 754 has it.
struct Narrow {
  int exponent;
  int fraction;
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  constexpr std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent) - 1) << fraction; }
};

constexpr Narrow half = {5, 10};
constexpr Narrow brain = {8, 7};
constexpr Narrow single = {8, 23};

constexpr int double_fraction = 52;
constexpr int double_bias = 1023;
constexpr std::uint64_t double_hidden = std::uint64_t{1} << double_fraction;
constexpr std::uint64_t double_infinity = std::uint64_t{0x7ff} << double_fraction;

/// `significand` * 2^-shift, rounded to an integer, ties to even.
constexpr std::uint64_t shift_right_to_nearest_even(std::uint64_t significand, int shift) {
  if (shift > 63) return 0;  // significand < 2^53, so that this is far below one half
  const std::uint64_t quotient = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t tie = std::uint64_t{1} << (shift - 1);
  return quotient + (rest > tie || (rest == tie && (quotient & 1)) ? 1 : 0);
}

constexpr std::uint64_t narrow_bits(double value, Narrow format) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = (bits >> 63) << (format.exponent + format.fraction);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  const int drop = double_fraction - format.fraction;
  if (magnitude > double_infinity) {  // NaN: the leading payload bits survive, the quiet bit is set
    const std::uint64_t payload = (magnitude & (double_hidden - 1)) >> drop;
    return sign | format.infinity() | payload | (std::uint64_t{1} << (format.fraction - 1));
  }
  if (magnitude == double_infinity) return sign | format.infinity();
  const int field = static_cast<int>(magnitude >> double_fraction);
  if (field == 0) return sign;  // a subnormal double is far below half of every narrow format's smallest number
  const std::uint64_t significand = (magnitude & (double_hidden - 1)) | double_hidden;
  const int narrow_field = field - double_bias + format.bias();
  if (narrow_field >= 1) {
    // The hidden bit adds 1 to the exponent field; a carry out of the rounding goes where it belongs by itself.
    const std::uint64_t rounded = shift_right_to_nearest_even(significand, drop);
    const std::uint64_t result = rounded + (static_cast<std::uint64_t>(narrow_field - 1) << format.fraction);
    return sign | (result < format.infinity() ? result : format.infinity());
  }
  return sign | shift_right_to_nearest_even(significand, drop + 1 - narrow_field);
}

constexpr double wide_value(std::uint64_t bits, Narrow format) {
  const std::uint64_t sign = (bits >> (format.exponent + format.fraction)) << 63;
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (format.exponent + format.fraction)) - 1);
  const int lift = double_fraction - format.fraction;
  std::uint64_t result = 0;
  if (magnitude > format.infinity()) {
    result = double_infinity | (double_hidden >> 1) | ((magnitude - format.infinity()) << lift);
  } else if (magnitude == format.infinity()) {
    result = double_infinity;
  } else if (magnitude >> format.fraction) {
    result = (magnitude << lift) + (static_cast<std::uint64_t>(double_bias - format.bias()) << double_fraction);
  } else if (magnitude) {  // subnormal here, normal as a double: bring the leading bit into the hidden place
    const int leading = static_cast<int>(std::bit_width(magnitude)) - 1;
    const int field = double_bias + 1 - format.bias() - (format.fraction - leading);
    result = (magnitude << (double_fraction - leading)) + (static_cast<std::uint64_t>(field - 1) << double_fraction);
  }
  return std::bit_cast<double>(sign | result);
}

}  // namespace

std::uint16_t float16_bits(double value) {
  return static_cast<std::uint16_t>(narrow_bits(value, half));
}
std::uint16_t bfloat16_bits(double value) {
  return static_cast<std::uint16_t>(narrow_bits(value, brain));
}
std::uint32_t float_bits(double value) {
  return static_cast<std::uint32_t>(narrow_bits(value, single));
}

double float16_value(std::uint16_t bits) {
  return wide_value(bits, half);
}
double bfloat16_value(std::uint16_t bits) {
  return wide_value(bits, brain);
}
double float_value(std::uint32_t bits) {
  return wide_value(bits, single);
}

double round_to(ElementType type, double value) {
  switch (type) {
    case ElementType::Float16:
      return float16_value(float16_bits(value));
    case ElementType::BFloat16:
      return bfloat16_value(bfloat16_bits(value));
    case ElementType::Float:
      return float_value(float_bits(value));
    case ElementType::Double:
      return value;
    default:
      throw std::invalid_argument("round_to: " + std::string(onnx_name(type)) + " is not a floating-point type");
  }
}

double next_up(ElementType type, double value) {
  if (!(value < std::numeric_limits<double>::infinity())) return value;
  if (value == 0) return float_format(type).min_subnormal;
  const auto moved = [&](auto bits) { return static_cast<decltype(bits)>(value > 0 ? bits + 1 : bits - 1); };
  switch (type) {
    case ElementType::Float16:
      return float16_value(moved(float16_bits(value)));
    case ElementType::BFloat16:
      return bfloat16_value(moved(bfloat16_bits(value)));
    case ElementType::Float:
      return float_value(moved(float_bits(value)));
    default:
      return std::bit_cast<double>(moved(std::bit_cast<std::uint64_t>(value)));
  }
}

}  // namespace cellproof
