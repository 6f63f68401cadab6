#pragma once

#include <string>

#include "spec/axis_value.hpp"

namespace cellproof::causes {

/// The axis values that a failure needs, as words behind "with": "ragged sequence lengths and Elu as f". Values that
/// say where a defect is seen are left out where others say what it is about.
std::string words_of_need(const AxisValues& axes);

}  // namespace cellproof::causes
