#pragma once

namespace cellproof::oracle {

/// Fault hooks of a faulty dynamic quantisation from the operator's; as it stands here, it does not.
struct QuantiserSwitches {
  int scale_bits = 0;                    ///< scales of X and H are kept with so many bits; 0: with all
  int product_bits = 0;                  ///< likewise the two products, once they are scaled
  int steps = 255;                       ///< the scale is the range divided by this
  bool truncates = false;                ///< codes are cut off where they ought to be rounded
  bool symmetric = false;                ///< scale = largest magnitude / 127, the zero point 0
  bool drops_zero_point = false;         ///< the codes of X and H are multiplied as they are
  bool range_without_zero = false;       ///< from the smallest to the largest value, whatever their signs
  bool X_range_without_padding = false;  ///< steps beyond a sequence's length do not count
  bool H_range_of_first_step = false;    ///< the range of the initial H serves all steps
  bool pairs_saturate = false;           ///< with int8 weights two products are added in 16 bits, without room for all

  bool operator==(const QuantiserSwitches&) const = default;
};

}  // namespace cellproof::oracle
