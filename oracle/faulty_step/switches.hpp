#pragma once

#include <array>
#include <optional>
#include <vector>

#include "oracle/step/evaluation_mode.hpp"

namespace cellproof::oracle {

/// Fault hooks of one gate from the specification; as it stands here, it does not.
struct GateSwitches {
  std::optional<int> function;     ///< the slot of the function that is applied, where it is another one's
  std::optional<double> constant;  ///< the gate is not computed, but taken for this number
  bool clipped = true;
  bool complemented = false;  ///< 1 - gate where the gate belongs

  bool operator==(const GateSwitches&) const = default;
};

/// Ways to round a factor of a matrix product to fewer bits.
enum class FactorRounding { ToEven, AwayFromZero, CutOff };

/// Fate of NaN in a function that bounds its argument first.
enum class BoundedNan { Kept, Above, Below };

/// Fault hooks of a faulty step from the specification's, where changed weights, functions and attributes cannot tell
/// it.
struct StepSwitches {
  std::array<GateSwitches, 4> gates;  ///< in the order of W, R and B
  bool clips_above = true, clips_below = true;
  std::optional<EvaluationMode::OfNan> clipped_nan;  ///< what clip makes of NaN, where that is known
  bool clips_results = false;                        ///< clips what functions return, not what they are given
  bool clips_x_part = false, clips_h_part = false;   ///< x W + Wb, or h R + Rb, and then the sum
  bool clips_before_peephole = false;                ///< clips what the peephole is added to, and not the sum
  bool o_sees_old_cell = false;                      ///< the output gate's peephole looks at C(t-1)
  std::optional<double> sigmoid_saturates_beyond;    ///< there it is 0 or 1
  bool softplus_overflows = false;                   ///< log(1 + e^x) is infinite where e^x is
  bool tanh_overflows = false;                       ///< (1 - e^-2x) / (1 + e^-2x) is NaN where e^-2x is infinite
  BoundedNan nan = BoundedNan::Kept;                 ///< what Sigmoid and Tanh may make of it: their value at a bound
  int x_bits = 0, h_bits = 0;  ///< factors of the products with W and with R have so many bits; 0: all
  FactorRounding factors = FactorRounding::ToEven;
  int product_bits = 0;  ///< the products with W and with R are rounded to so many bits each; 0: not
  /// [rows] Biases that are added to a product once it is rounded, where they are not the cell's; empty: none.
  std::vector<double> late_Wb, late_Rb;
  bool stores_reset_part = false;  ///< GRU: r's product with R and its bias is rounded like a product
  int cell_bits = 0;               ///< C is rounded to so many bits; 0: not
  int argument_bits = 0;           ///< likewise what the gates' functions are given
  int gate_bits = 0;               ///< likewise the gates
  int sigmoid_bits = 0;            ///< likewise what Sigmoid returns

  bool operator==(const StepSwitches&) const = default;
};

}  // namespace cellproof::oracle
