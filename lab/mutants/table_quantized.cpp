// Mutants of quantisation, and which of the others DynamicQuantizeLSTM has, too.
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

/// What is about W and R, about single steps, or about the precision of products is written for the float operators.
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
                             "tf32-operands",
                             "bf16-operands",
                             "tf32-operands-late",
                             "bf16-weights",
                             "f16-weights",
                             "half-accumulator",
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
  add("codes-cut-off", "-", "cuts codes of X and H off where they are to be rounded", anything,
      switched([](Faults& f) { f.codes_are_cut_off = true; }));
  add("range-in-256-steps", "-", "divides the range of X and of H by 256", anything,
      switched([](Faults& f) { f.steps_of_range = 256; }));
  add("codes-symmetric", "-", "gives X and H codes from -127 to 127 around a zero point of 0", anything,
      switched([](Faults& f) { f.codes_are_symmetric = true; }));
  add("zero-points-of-codes-ignored", "-", "multiplies the codes of X and H without subtracting their zero points",
      anything, switched([](Faults& f) { f.zero_points_of_codes_ignored = true; }));
  add("range-without-zero", "H|activation|regime",
      "takes ranges from the smallest to the largest value even where they do not hold 0", anything,
      switched([](Faults& f) { f.range_may_lack_zero = true; }));
  add("range-without-padding", "lengths", "leaves padding out of the range of X", ragged,
      switched([](Faults& f) { f.range_lacks_padding = true; }));
  add("range-of-first-h", "-", "quantises H with the range that it has before the first step", anything,
      switched([](Faults& f) { f.range_of_first_h = true; }));
  add("pairs-saturate-in-16-bits", "weight_type|regime",
      "adds the products of two codes in 16 bits, where two of 255 * 127 have no room", has_signed_weights,
      switched([](Faults& f) { f.pairs_of_products_saturate = true; }));
  for (const auto& [name, bits] : {std::pair{"f16", 11}, std::pair{"bf16", 8}}) {
    const std::string prefix = name, with = " with " + std::to_string(bits) + " bits";
    add(prefix + "-scales-of-codes", "-", "keeps the scales of X and H" + with, anything,
        switched([bits = bits](Faults& f) { f.scale_bits = bits; }));
    add(prefix + "-products", "-", "keeps the scaled products" + with, anything,
        switched([bits = bits](Faults& f) { f.scaled_product_bits = bits; }));
    add(prefix + "-scales-of-weights", "-", "keeps the scales of W and R" + with, anything, [bits = bits](Sowing& s) {
      for (QuantizedDirection& d : s.quantized->directions) {
        shorten_scales(d.W, bits);
        shorten_scales(d.R, bits);
      }
    });
  }
  return table;
}

void let_quantized_have_them(Table& table) {
  for (Mutant& mutant : table) {
    if (!is_of_float_only(mutant.id)) mutant.scope = Mutant::Scope::Both;
  }
}

}  // namespace cellproof::lab::mutants
