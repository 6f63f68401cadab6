// Mutants of quantisation, and which of the others DynamicQuantizeLSTM has, too.
#include <algorithm>
#include <array>

#include "engines/mutants/quantized.hpp"
#include "engines/mutants/tables.hpp"

namespace cellproof::engines::mutants {
namespace {

Needs per_row(std::size_t position) {
  return [position](const Facts& facts) {
    const Tensor* tensor = facts.problem.input(position);
    return tensor && tensor->rank() == 2;
  };
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

using MatrixChange = void (*)(QuantizedMatrix&);

Sow in_matrices(bool of_W, bool of_R, MatrixChange change) {
  return [=](Sowing& sowing) {
    for (QuantizedDirection& direction : sowing.quantized->directions) {
      if (of_W) change(direction.W);
      if (of_R) change(direction.R);
    }
  };
}

/// What is about W and R, about single steps or about precision is written for the float operators.
bool is_of_float_only(const std::string& id) {
  constexpr std::array whole{"recurrent-weights-ignored",
                             "previous-input",
                             "batch-halves-overlap",
                             "reverse-starts-in-padding",
                             "state-leaks-to-next-sequence",
                             "state-kept-from-the-call-before",
                             "padding-computed",
                             "one-element-off",
                             "last-product-dropped",
                             "first-input-dropped"};
  constexpr std::array starts{"gate-order-", "w-order-", "r-order-", "r-not-transposed", "layout-ignored", "tail-of-"};
  constexpr std::array ends{"-weights", "-w", "-r"};
  const bool borrows = id.find("takes-") != std::string::npos || id.starts_with("directions-exchanged-in-");
  return std::ranges::any_of(whole, [&](const char* one) { return id == one; }) ||
         std::ranges::any_of(starts, [&](const char* start) { return id.starts_with(start); }) ||
         (borrows && std::ranges::any_of(ends, [&](const char* end) { return id.ends_with(end); }));
}

}  // namespace

Table quantized_mutants() {
  Table table;
  const auto add = [&](std::string id, std::string blames, std::string what, Needs needs, Sow sow) {
    table.push_back({std::move(id), std::move(blames), std::move(what), std::move(needs), std::move(sow),
                     Mutant::Scope::Quantised});
  };
  struct Side {
    const char *letter, *name;
    bool W, R;
    std::size_t scale;
  };
  const std::array sides{Side{"w", "W", true, false, input::W_scale}, Side{"r", "R", false, true, input::R_scale}};
  for (const Side& side : sides) {
    const std::string letter = side.letter, name = side.name;
    add(letter + "-zero-point-ignored", "-", "takes the zero points of " + name + " for 0", anything,
        in_matrices(side.W, side.R, drop_zero_points));
    add(letter + "-first-scale-for-all", "columns", "scales all columns of " + name + " like the first one",
        per_row(side.scale), in_matrices(side.W, side.R, share_first_scale));
    add(letter + "-scale-ignored", "-", "does not scale " + name, anything, in_matrices(side.W, side.R, drop_scales));
    add(letter + "-bytes-of-other-sign", "-", "takes the bytes of " + name + " for the other 8-bit type", anything,
        in_matrices(side.W, side.R, turn_sign));
    add(letter + "-read-as-in-lstm", "-", "reads " + name + " as [4H,K] where [K,4H] is meant", anything,
        in_matrices(side.W, side.R, read_row_by_row));
  }
  add("zero-points-ignored", "-", "takes all zero points of weights for 0", anything,
      in_matrices(true, true, drop_zero_points));
  add("scales-exchanged", "-", "scales W like R and R like W", anything, [](Sowing& s) {
    for (QuantizedDirection& d : s.quantized->directions) std::swap(d.W.scales, d.R.scales);
  });
  add("zero-points-exchanged", "-", "takes the zero points of W for R's and the other way round", anything,
      [](Sowing& s) {
        for (QuantizedDirection& d : s.quantized->directions) std::swap(d.W.zero_points, d.R.zero_points);
      });
  add("scales-of-forward-for-both", "direction", "scales both directions like the forward one", two_directions,
      [](Sowing& s) {
        QuantizedDirection &forward = s.quantized->directions.front(), &backward = s.quantized->directions.back();
        backward.W.scales = forward.W.scales;
        backward.R.scales = forward.R.scales;
      });
  add("zero-points-of-forward-for-both", "direction", "takes the forward direction's zero points in both",
      two_directions, [](Sowing& s) {
        QuantizedDirection &forward = s.quantized->directions.front(), &backward = s.quantized->directions.back();
        backward.W.zero_points = forward.W.zero_points;
        backward.R.zero_points = forward.R.zero_points;
      });
  return table;
}

void let_quantized_have_them(Table& table) {
  for (Mutant& mutant : table) {
    if (!is_of_float_only(mutant.id)) mutant.scope = Mutant::Scope::Both;
  }
}

}  // namespace cellproof::engines::mutants
