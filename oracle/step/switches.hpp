#pragma once

#include <array>
#include <cmath>
#include <optional>

namespace cellproof::oracle {

/// How one gate departs from the specification; as it stands here, it does not.
struct GateSwitches {
  std::optional<int> function;     ///< the slot of the function that is applied, where it is another one's
  std::optional<double> constant;  ///< the gate is not computed, but taken for this number
  bool clipped = true;
  bool complemented = false;  ///< 1 - gate where the gate belongs
};

/// How a faulty step departs from the specification's, where changed weights, functions and attributes cannot tell it.
struct StepSwitches {
  std::array<GateSwitches, 4> gates;  ///< in the order of W, R and B
  bool clips_argument_of_h = true;
  bool clips_above = true, clips_below = true;
  bool clips_results = false;                      ///< clips what functions return, not what they are given
  bool o_sees_old_cell = false;                    ///< the output gate's peephole looks at C(t-1)
  std::optional<double> sigmoid_saturates_beyond;  ///< there it is 0 or 1
  bool softplus_overflows = false;                 ///< log(1 + e^x) is infinite where e^x is
  bool tanh_overflows = false;                     ///< (1 - e^-2x) / (1 + e^-2x) is NaN where e^-2x is infinite
  int operand_bits = 0;                            ///< factors of matrix products are rounded to so many bits; 0: not
  int cell_bits = 0;                               ///< likewise C
};

/// Rounded to this many significant bits, ties to even; 0: not at all.
inline double with_bits(double x, int bits) {
  if (bits == 0 || x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

}  // namespace cellproof::oracle
