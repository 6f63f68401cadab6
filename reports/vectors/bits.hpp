#pragma once

#include <string>

#include "spec/tensor.hpp"

namespace cellproof::reports {

/// The elements' bit patterns as hexadecimal integers of full width, with blanks between them.
std::string bits_text(const Tensor& tensor);

}  // namespace cellproof::reports
