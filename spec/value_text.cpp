#include "spec/value_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "spec/float_conversion.hpp"

namespace cellproof {
namespace {

/// Below it "100" is read more easily than "1e+02".
constexpr double first_with_exponent = 1e7;

}  // namespace

std::string value_text(ElementType type, double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (!is_floating_point(type)) type = ElementType::Double;
  for (int digits = 1; digits < 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    const double written = std::strtod(text.c_str(), nullptr);
    if (round_to(type, written) != value) continue;
    const bool is_plain = std::abs(written) >= 1 && std::abs(written) < first_with_exponent;
    return is_plain && text.find('e') != std::string::npos ? fmt::format("{:.0f}", written) : text;
  }
  return fmt::format("{:.17g}", value);
}

std::optional<double> value_of_text(ElementType type, const std::string& text) {
  const double written = std::strtod(text.c_str(), nullptr);
  const double value = is_floating_point(type) ? round_to(type, written) : written;
  return value_text(type, value) == text ? std::optional(value) : std::nullopt;
}

}  // namespace cellproof
