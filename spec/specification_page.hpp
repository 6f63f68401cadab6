#pragma once

#include <string>

#include "spec/operator.hpp"

namespace cellproof {

/// Address of the page that specifies the operator.
std::string specification_page(Operator op);

}  // namespace cellproof
