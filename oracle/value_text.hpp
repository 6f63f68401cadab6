#pragma once

#include <string>

#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// The shortest decimal text that reads back as this element of the type: "0.1", "1e-08", "nan", "inf", "-inf", "-0".
std::string value_text(ElementType type, double value);

}  // namespace cellproof::oracle
