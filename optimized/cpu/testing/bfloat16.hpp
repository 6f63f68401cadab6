#pragma once

#include <cstdint>

#include "optimized/cpu/elements.hpp"

namespace cellproof::cpu::testing {

/// A number of bfloat16 tensors, as float and double are of theirs.
class BFloat16 {
 public:
  BFloat16() = default;
  BFloat16(double value) {
    const auto number = static_cast<float>(value);
    narrow(CELLPROOF_BFLOAT16, &number, 1, &bits_, 0);
  }
  operator double() const {
    float number = 0;
    widen(CELLPROOF_BFLOAT16, &bits_, 0, 1, &number);
    return number;
  }
  friend bool operator==(const BFloat16& a, const BFloat16& b) { return a.bits_ == b.bits_; }

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace cellproof::cpu::testing
