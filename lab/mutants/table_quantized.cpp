// Mutants of quantisation.
#include <algorithm>
#include <array>

#include "lab/mutants/quantized.hpp"
#include "lab/mutants/tables.hpp"
#include "lab/mutants/with_bits.hpp"

namespace cellproof::lab::mutants {
namespace {

Needs per_row(std::size_t position) {
  return [position](const Facts& facts) {
    const Tensor* tensor = facts.problem.input(position);
    return tensor && tensor->rank() == 2;
  };
}

bool has_signed_weights(const Facts& facts) {
  return facts.problem.input(input::W)->type() == ElementType::Int8;
}

void drop_zero_points(QuantizedMatrix& matrix) {
  std::ranges::fill(matrix.zero_points, 0);
}
void share_first_scale(QuantizedMatrix& matrix) {
  if (!matrix.scales.empty()) std::ranges::fill(matrix.scales, float{matrix.scales.front()});
}
void drop_scales(QuantizedMatrix& matrix) {
  std::ranges::fill(matrix.scales, 1.0F);
}
/// A byte taken for the other kind of 8-bit integer.
void turn_sign(QuantizedMatrix& matrix) {
  for (int& code : matrix.codes) {
    if (matrix.codes_are_signed) {
      if (code < 0) code += 256;
    } else if (code > 127) {
      code -= 256;
    }
  }
}
/// The codes read as [rows][columns], as the float operator has them.
void read_row_by_row(QuantizedMatrix& matrix) {
  const std::vector<int> stored = matrix.codes;
  for (std::size_t k = 0; k < matrix.columns; ++k) {
    for (std::size_t row = 0; row < matrix.rows; ++row)
      matrix.codes[k * matrix.rows + row] = stored[row * matrix.columns + k];
  }
}

void shorten_scales(QuantizedMatrix& matrix, int bits) {
  for (float& scale : matrix.scales) scale = with_bits(scale, bits);
}

using MatrixChange = void (*)(QuantizedMatrix&);

Sow in_matrices(bool of_W, bool of_R, MatrixChange change) {
  return [=](Sowing& sowing) {
    for (QuantizedDirection& direction : sowing.quantized->directions) {
      if (of_W) change(direction.W);
      if (of_R) change(direction.R);
    }
  };
}

}  // namespace

Table quantized_mutants() {
  Table table;
  struct Side {
    const char* letter;
    bool W, R;
    std::size_t scale;
  };
  const std::array sides{Side{"w", true, false, input::W_scale}, Side{"r", false, true, input::R_scale}};
  for (const Side& side : sides) {
    const std::string letter = side.letter;
    table.add(letter + "-zero-point-ignored", anything, in_matrices(side.W, side.R, drop_zero_points));
    table.add(letter + "-first-scale-for-all", per_row(side.scale), in_matrices(side.W, side.R, share_first_scale));
    table.add(letter + "-scale-ignored", anything, in_matrices(side.W, side.R, drop_scales));
    table.add(letter + "-bytes-of-other-sign", anything, in_matrices(side.W, side.R, turn_sign));
    table.add(letter + "-read-as-in-lstm", anything, in_matrices(side.W, side.R, read_row_by_row));
  }
  table.add("zero-points-ignored", anything, in_matrices(true, true, drop_zero_points));
  table.add("scales-exchanged", anything, [](Sowing& s) {
    for (QuantizedDirection& d : s.quantized->directions) std::swap(d.W.scales, d.R.scales);
  });
  table.add("zero-points-exchanged", anything, [](Sowing& s) {
    for (QuantizedDirection& d : s.quantized->directions) std::swap(d.W.zero_points, d.R.zero_points);
  });
  table.add("scales-of-forward-for-both", two_directions, [](Sowing& s) {
    QuantizedDirection &forward = s.quantized->directions.front(), &backward = s.quantized->directions.back();
    backward.W.scales = forward.W.scales;
    backward.R.scales = forward.R.scales;
  });
  table.add("zero-points-of-forward-for-both", two_directions, [](Sowing& s) {
    QuantizedDirection &forward = s.quantized->directions.front(), &backward = s.quantized->directions.back();
    backward.W.zero_points = forward.W.zero_points;
    backward.R.zero_points = forward.R.zero_points;
  });
  const auto of_a_matrix = [](const Facts& f) {
    return f.problem.input(input::W_scale)->rank() > f.problem.input(input::W_zero_point)->rank() ||
           f.problem.input(input::R_scale)->rank() > f.problem.input(input::R_zero_point)->rank();
  };
  table.add("zero-point-behind-the-last", Needs(two_directions) && of_a_matrix, [](Sowing& s) {
    QuantizedDirection& backward = s.quantized->directions.back();
    for (QuantizedMatrix* matrix : {&backward.W, &backward.R})
      if (matrix->only_scales_are_by_row) drop_zero_points(*matrix);
  });
  table.add("codes-cut-off", anything, switched(&Faults::codes_are_cut_off, true));
  table.add("range-in-256-steps", anything, switched(&Faults::steps_of_range, 256));
  table.add("codes-symmetric", anything, switched(&Faults::codes_are_symmetric, true));
  table.add("zero-points-of-codes-ignored", anything, switched(&Faults::zero_points_of_codes_ignored, true));
  table.add("range-without-zero", anything, switched(&Faults::range_may_lack_zero, true));
  table.add("range-without-padding", ragged, switched(&Faults::range_lacks_padding, true));
  table.add("range-of-first-h", anything, switched(&Faults::range_of_first_h, true));
  table.add("pairs-saturate-in-16-bits", has_signed_weights, switched(&Faults::pairs_of_products_saturate, true));
  for (const auto& [name, bits] : {std::pair{"f16", 11}, std::pair{"bf16", 8}}) {
    const std::string prefix = name;
    table.add(prefix + "-scales-of-codes", anything, switched(&Faults::scale_bits, bits));
    table.add(prefix + "-products", anything, switched(&Faults::scaled_product_bits, bits));
    table.add(prefix + "-scales-of-weights", anything, [bits = bits](Sowing& s) {
      for (QuantizedDirection& d : s.quantized->directions) {
        shorten_scales(d.W, bits);
        shorten_scales(d.R, bits);
      }
    });
  }
  return table;
}

}  // namespace cellproof::lab::mutants
