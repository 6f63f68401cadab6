#include "oracle/value_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "spec/float_conversion.hpp"

namespace cellproof::oracle {

std::string value_text(ElementType type, double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  for (int digits = 1; digits < 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (round_to(type, std::strtod(text.c_str(), nullptr)) == value) return text;
  }
  return fmt::format("{:.17g}", value);
}

}  // namespace cellproof::oracle
