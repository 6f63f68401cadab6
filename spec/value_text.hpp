#pragma once

#include <optional>
#include <string>

#include "spec/element_type.hpp"

namespace cellproof {

/// The shortest decimal text that reads back as this element of the type, or as a double where the type is an integer:
/// "0.1", "1e-08", "nan", "inf", "-inf", "-0".
std::string value_text(ElementType type, double value);
/// The value of which value_text writes this; nullopt where there is none.
std::optional<double> value_of_text(ElementType type, const std::string& text);

}  // namespace cellproof
