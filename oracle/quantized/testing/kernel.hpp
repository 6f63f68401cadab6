#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/testing/plain_engine.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle::testing {

/// Evaluation mode of a kernel of DynamicQuantizeLSTM, whose cell is that of oracle/testing/plain_engine.hpp. As it
/// stands: one rounding for each operation, X quantised over the block and H per step over the batch.
struct KernelStyle {
  // Honest arithmetic.
  bool multiplies_by_reciprocal = false;    ///< x * (1 / scale)
  bool multiplies_by_1_over_255 = false;    ///< scale = range * (1 / 255)
  bool adds_zero_point_first = false;       ///< round(x / scale + zero point)
  bool fuses = false;                       ///< fma where the products are added
  bool biases_first = false;                ///< (Wb + x product) + (Rb + h product)
  bool scales_one_after_the_other = false;  ///< (float(sum) * scale of x) * scale of w

  // Other readings.
  std::int64_t chunk = 0;  ///< H is quantised over so many sequences; 0: the batch
  bool X_per_step = false;
  bool quantises_X = true, quantises_H = true;
  bool finished_rows_count_on = false;  ///< for ever, as the kernel does without Y
  bool finished_rows_are_left_out = false;
  bool first_zero_point_only = false;

  // Faults.
  bool forgets_zero_point_of_x = false;  ///< multiplies the codes themselves
  bool forgets_zero_points_of_weights = false;
  bool first_scale_only = false;  ///< the direction's first scale for all columns
  bool scale_of_direction_0 = false;
  bool swaps_scales = false;         ///< R's scale for W and W's for R
  bool bytes_as_other_sign = false;  ///< int8 read as uint8 and the other way round
  bool truncates = false;            ///< codes cut off instead of rounded
  bool range_without_zero = false;
  bool divides_by_256 = false;
  bool symmetric = false;  ///< scale = largest magnitude / 127, no zero point
  bool H_range_of_first_step = false;
  bool X_range_without_padding = false;
  bool saturates_pairs = false;  ///< sums of two products kept in int16
  bool drops_Rb = false;
  bool quantises_C = false;
  Fault fault = Fault::None;  ///< of the cell
};

/// Computes a valid problem whose functions are the default ones. All outputs that it asks for.
std::vector<std::optional<Tensor>> run_kernel(const Problem& problem, const KernelStyle& style = {});

}  // namespace cellproof::oracle::testing
