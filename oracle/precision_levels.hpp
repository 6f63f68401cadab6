#pragma once

#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// The precisions that a verdict escalates through until it is decided (A. Ziv's strategy): `double`, whose own error
/// is allowed for by hand, then balls with 112, 224, 448 and 896 bits, which carry their error with them. With the bits
/// that functions have to spare (oracle/ball/ball.cpp) the first still fill two words, which need no memory of their
/// own.
inline constexpr int bits_of_double = 53;
inline constexpr int first_bits_of_balls = 112;
inline constexpr int most_bits = 896;

/// Returns where judging starts: in `double`, except of double tensors, whose steps a double cannot hold.
constexpr int first_precision_level(ElementType type) {
  return type == ElementType::Double ? first_bits_of_balls : bits_of_double;
}

}  // namespace cellproof::oracle
