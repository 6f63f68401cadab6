#pragma once

#include <vector>

#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// One direction's W or R of DynamicQuantizeLSTM: real = scale * integer, one scale for each row of the pre-activations
/// (dq-axis). A row is gate * hidden + unit, gates in the order i o f c.
struct QuantizedMatrix {
  int depth = 0, rows = 0;
  std::vector<double> integers;          ///< [depth][rows], the zero point already subtracted; within +-255
  std::vector<double> scales;            ///< [rows]
  std::vector<double> magnitudes;        ///< [rows] sums of the integers' magnitudes
  std::vector<double> zero_points = {};  ///< [rows]
  bool has_signed_codes = false;         ///< int8, not uint8

  /// The magnitudes, after the integers were changed.
  void summarise();
  /// Leaves the rows of one unit of so many.
  void narrow_to(int unit, int units);
  /// [depth][rows]: scale * integer, exact in double.
  std::vector<double> real_weights() const;

  bool operator==(const QuantizedMatrix&) const = default;
};

/// The matrices of a valid problem. Scales and zero points stand per direction ([D]) or per row ([D,4H]); under
/// dq-zero-point=first-element the first zero point of the direction serves all rows.
QuantizedMatrix matrix_of_W(const Problem& problem, const Readings& readings, int direction);
QuantizedMatrix matrix_of_R(const Problem& problem, const Readings& readings, int direction);

}  // namespace cellproof::oracle
