#pragma once

#include <optional>
#include <string>

namespace cellproof {

/// The value of one gate at an element: a centre and how far from it honest arithmetic may lead.
struct GateValue {
  std::string name;  ///< "i"
  double centre = 0, radius = 0;
};

/// "0.25 +- 1e-08", and without a radius what has none; a NaN's sign says nothing.
std::string value_text(const GateValue& gate);
/// The gate of which value_text writes this; nullopt where there is none.
std::optional<GateValue> gate_value_of(std::string name, const std::string& text);

}  // namespace cellproof
