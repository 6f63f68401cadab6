#include "spec/gate_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

namespace cellproof {
namespace {

constexpr std::string_view sign = " +- ";

std::string centre_text(double centre) {
  return fmt::format("{:.6g}", centre);
}

std::string radius_text(double radius) {
  return fmt::format("{:.2g}", radius);
}

/// Beside the largest numbers and among the smallest, the nearest to a text may be one that is written otherwise: then
/// its neighbour is meant.
std::optional<double> number_of(const std::string& text, std::string (*write)(double)) {
  char* end = nullptr;
  const double nearest = std::strtod(text.c_str(), &end);
  if (text.empty() || text.front() == ' ' || end != text.c_str() + text.size()) return std::nullopt;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {nearest, std::nextafter(nearest, -infinity), std::nextafter(nearest, infinity)})
    if (write(value) == text) return value;
  return nearest;
}

}  // namespace

std::string value_text(const GateValue& gate) {
  if (std::isnan(gate.centre)) return "nan";
  if (std::isinf(gate.centre)) return gate.centre < 0 ? "-inf" : "inf";
  return fmt::format("{}{}{}", centre_text(gate.centre), sign, radius_text(gate.radius));
}

std::optional<GateValue> gate_value_of(std::string name, const std::string& text) {
  const std::size_t at = text.find(sign);
  const std::optional<double> centre = number_of(text.substr(0, at), centre_text);
  if (!centre) return std::nullopt;
  if (at == std::string::npos)
    return std::isfinite(*centre) ? std::nullopt : std::optional(GateValue{std::move(name), *centre, 0});
  const std::optional<double> radius = number_of(text.substr(at + sign.size()), radius_text);
  return radius ? std::optional(GateValue{std::move(name), *centre, *radius}) : std::nullopt;
}

}  // namespace cellproof
