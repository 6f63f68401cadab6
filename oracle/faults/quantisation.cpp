// Faults of quantisation, and which of the others DynamicQuantizeLSTM can have, too.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "oracle/faults/tables.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

using ProblemChange = std::function<void(Problem&)>;

Fault of_quantisation(std::string id, std::string blames, std::string what, Needs needs, ProblemChange change) {
  return of_problem(std::move(id), std::move(blames), FaultClass::Quantisation, std::move(what),
                    {Operator::DynamicQuantizeLSTM}, std::move(needs), std::move(change));
}

struct Matrix {
  const char *letter, *name;
  std::size_t weights, scale, zero_point;
};
constexpr std::array matrices{Matrix{"w", "W", input::W, input::W_scale, input::W_zero_point},
                              Matrix{"r", "R", input::R, input::R_scale, input::R_zero_point}};

Needs per_column(std::size_t position) {
  return [position](const Problem& problem) { return problem.input(position) && problem.input(position)->rank() == 2; };
}

void fill(Problem& problem, std::size_t position, double value) {
  change_values(problem, position, [value](std::vector<double>& values) { std::ranges::fill(values, value); });
}

/// The first value of each direction for all its columns.
void share_first(Problem& problem, std::size_t position) {
  const auto directions = static_cast<std::size_t>(problem.input(position)->shape().at(0));
  change_values(problem, position, [directions](std::vector<double>& values) {
    const std::size_t columns = values.size() / directions;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = values[k / columns * columns];
  });
}

/// The first direction's half for both.
void share_forward(Problem& problem, std::size_t position) {
  change_values(problem, position, [](std::vector<double>& values) {
    std::copy_n(values.begin(), values.size() / 2, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  });
}

void turn_sign(Problem& problem, std::size_t position) {
  Tensor& tensor = *problem.inputs[position].tensor;
  const bool was_signed = tensor.type() == ElementType::Int8;
  std::vector<double> values = values_of(tensor);
  for (double& value : values) {
    if (was_signed && value < 0) value += 256;
    if (!was_signed && value > 127) value -= 256;
  }
  tensor = Tensor::from_values(was_signed ? ElementType::UInt8 : ElementType::Int8, tensor.shape(), values);
}

/// [K,4H] read as if it were [4H,K].
void read_as_in_lstm(Problem& problem, std::size_t position) {
  const Shape shape = problem.input(position)->shape();
  const auto depth = static_cast<std::size_t>(shape.at(1)), rows = static_cast<std::size_t>(shape.at(2));
  change_values(problem, position, [depth, rows](std::vector<double>& values) {
    const std::vector<double> stored = values;
    for (std::size_t place = 0; place < values.size(); ++place) {
      const std::size_t direction = place / (depth * rows), k = place / rows % depth, row = place % rows;
      values[place] = stored[direction * depth * rows + row * depth + k];
    }
  });
}

void exchange_tensors(Problem& problem, std::size_t a, std::size_t b) {
  const Tensor of_a = *problem.inputs[a].tensor, of_b = *problem.inputs[b].tensor;
  problem.inputs[a].tensor = of_b;
  problem.inputs[b].tensor = of_a;
}

void add_of_matrix(Table& table, const Matrix& m) {
  table.push_back(of_quantisation(fmt::format("{}-zero-point-ignored", m.letter), "-",
                                  fmt::format("takes the zero points of {} for 0", m.name), always,
                                  [m](Problem& p) { fill(p, m.zero_point, 0); }));
  table.push_back(of_quantisation(fmt::format("{}-first-scale-for-all", m.letter), "columns",
                                  fmt::format("scales all columns of {} like the first one", m.name),
                                  per_column(m.scale), [m](Problem& p) { share_first(p, m.scale); }));
  table.push_back(of_quantisation(fmt::format("{}-scale-ignored", m.letter), "-",
                                  fmt::format("does not scale {}", m.name), always,
                                  [m](Problem& p) { fill(p, m.scale, 1); }));
  table.push_back(of_quantisation(fmt::format("{}-bytes-of-other-sign", m.letter), "-",
                                  fmt::format("takes the bytes of {} for the other 8-bit type", m.name), always,
                                  [m](Problem& p) { turn_sign(p, m.weights); }));
  table.push_back(of_quantisation(fmt::format("{}-read-as-in-lstm", m.letter), "-",
                                  fmt::format("reads {} as [4H,K] where [K,4H] is meant", m.name), always,
                                  [m](Problem& p) { read_as_in_lstm(p, m.weights); }));
}

/// A fault of the dynamic quantisation of X and H.
Fault of_codes(std::string id, std::string blames, FaultClass cls, std::string what, Needs needs,
               std::function<void(QuantiserSwitches&)> change) {
  const auto put_on = [change = std::move(change)](View& view) {
    change(view.departures.quantiser);
    return true;
  };
  return {std::move(id), std::move(blames), cls, std::move(what), {Operator::DynamicQuantizeLSTM}, std::move(needs),
          put_on};
}

void add_of_codes(Table& table) {
  const auto add = [&](std::string id, std::string blames, std::string what, Needs needs,
                       std::function<void(QuantiserSwitches&)> change) {
    table.push_back(of_codes(std::move(id), std::move(blames), FaultClass::Quantisation, std::move(what),
                             std::move(needs), std::move(change)));
  };
  add("codes-cut-off", "-", "cuts codes of X and H off where they are to be rounded", always,
      [](QuantiserSwitches& s) { s.truncates = true; });
  add("range-in-256-steps", "-", "divides the range of X and of H by 256", always,
      [](QuantiserSwitches& s) { s.steps = 256; });
  add("codes-symmetric", "-", "gives X and H codes from -127 to 127 around a zero point of 0", always,
      [](QuantiserSwitches& s) { s.symmetric = true; });
  add("zero-points-of-codes-ignored", "-", "multiplies the codes of X and H without subtracting their zero points",
      always, [](QuantiserSwitches& s) { s.drops_zero_point = true; });
  add("range-without-zero", "H|activation|regime",
      "takes ranges from the smallest to the largest value even where they do not hold 0", always,
      [](QuantiserSwitches& s) { s.range_without_zero = true; });
  add("range-without-padding", "lengths", "leaves padding out of the range of X", is_ragged,
      [](QuantiserSwitches& s) { s.X_range_without_padding = true; });
  add("range-of-first-h", "-", "quantises H with the range that it has before the first step", always,
      [](QuantiserSwitches& s) { s.H_range_of_first_step = true; });
}

bool has_signed_weights(const Problem& problem) {
  return problem.input(input::W)->type() == ElementType::Int8;
}

void add_of_sums(Table& table) {
  table.push_back(of_codes("pairs-saturate-in-16-bits", "weight_type|regime", FaultClass::Quantisation,
                           "adds the products of two codes in 16 bits, where two of 255 * 127 have no room",
                           has_signed_weights, [](QuantiserSwitches& s) { s.pairs_saturate = true; }));
}

void keep_scales(Problem& problem, int bits) {
  for (const Matrix& m : matrices) {
    change_values(problem, m.scale, [bits](std::vector<double>& values) {
      for (double& value : values) value = with_bits(value, bits);
    });
  }
}

void add_of_precision(Table& table) {
  const auto of_bits = [&](const char* id, const char* what, int QuantiserSwitches::*which, int bits) {
    table.push_back(of_codes(id, "-", FaultClass::Precision, what, always,
                             [which, bits](QuantiserSwitches& s) { s.*which = bits; }));
  };
  of_bits("f16-scales-of-codes", "keeps the scales of X and H with 11 bits", &QuantiserSwitches::scale_bits, 11);
  of_bits("bf16-scales-of-codes", "keeps the scales of X and H with 8 bits", &QuantiserSwitches::scale_bits, 8);
  of_bits("f16-products", "keeps the scaled products with 11 bits", &QuantiserSwitches::product_bits, 11);
  of_bits("bf16-products", "keeps the scaled products with 8 bits", &QuantiserSwitches::product_bits, 8);
  for (const auto& [name, bits] : {std::pair{"f16", 11}, std::pair{"bf16", 8}}) {
    table.push_back(of_problem(fmt::format("{}-scales-of-weights", name), "-", FaultClass::Precision,
                               fmt::format("keeps the scales of W and R with {} bits", bits),
                               {Operator::DynamicQuantizeLSTM}, always,
                               [bits = bits](Problem& p) { keep_scales(p, bits); }));
  }
}

/// The precisions that the quantised operator has as LSTM has them: not those of factors, which are codes, of sums,
/// which are integers, and of weights, which are bytes.
bool is_of_any_precision(const Fault& fault) {
  constexpr std::array ids{"half-cell",  "bf16-cell", "sigmoid-saturates-early",
                           "bf16-input", "f16-input", "bf16-bias",
                           "bf16-state", "f16-state", "tanh-error"};
  return std::ranges::find(ids, fault.id) != ids.end();
}

bool is_only_of_float_operators(const Fault& fault) {
  constexpr std::array ids{"backward-takes-forward-weights",
                           "forward-takes-backward-weights",
                           "directions-exchanged-in-weights",
                           "backward-takes-forward-w",
                           "forward-takes-backward-w",
                           "directions-exchanged-in-w",
                           "backward-takes-forward-r",
                           "forward-takes-backward-r",
                           "directions-exchanged-in-r",
                           "recurrent-weights-ignored",
                           "previous-input",
                           "batch-halves-overlap",
                           "reverse-starts-in-padding",
                           "state-leaks-to-next-sequence",
                           "state-kept-from-the-call-before",
                           "padding-computed",
                           "one-element-off"};
  constexpr std::array prefixes{"gate-order-", "w-order-", "r-order-", "r-not-transposed", "layout-ignored"};
  return fault.cls == FaultClass::Corner || (fault.cls == FaultClass::Precision && !is_of_any_precision(fault)) ||
         std::ranges::find(ids, fault.id) != ids.end() ||
         std::ranges::any_of(prefixes, [&](const char* prefix) { return fault.id.starts_with(prefix); });
}

}  // namespace

Table quantisation() {
  Table table;
  for (const Matrix& m : matrices) add_of_matrix(table, m);
  add_of_codes(table);
  add_of_sums(table);
  add_of_precision(table);
  table.push_back(
      of_quantisation("zero-points-ignored", "-", "takes all zero points of weights for 0", always, [](Problem& p) {
        for (const Matrix& m : matrices) fill(p, m.zero_point, 0);
      }));
  table.push_back(of_quantisation("scales-exchanged", "-", "scales W like R and R like W", always,
                                  [](Problem& p) { exchange_tensors(p, input::W_scale, input::R_scale); }));
  table.push_back(of_quantisation("zero-points-exchanged", "-",
                                  "takes the zero points of W for R's and the other way round", always,
                                  [](Problem& p) { exchange_tensors(p, input::W_zero_point, input::R_zero_point); }));
  table.push_back(of_quantisation("scales-of-forward-for-both", "direction",
                                  "scales both directions like the forward one", is_bidirectional, [](Problem& p) {
                                    for (const Matrix& m : matrices) share_forward(p, m.scale);
                                  }));
  table.push_back(of_quantisation("zero-points-of-forward-for-both", "direction",
                                  "takes the forward direction's zero points in both", is_bidirectional,
                                  [](Problem& p) {
                                    for (const Matrix& m : matrices) share_forward(p, m.zero_point);
                                  }));
  return table;
}

void let_quantised_lstm_have_them(Table& table) {
  for (Fault& fault : table) {
    const bool of_lstm = std::ranges::find(fault.operators, Operator::LSTM) != fault.operators.end();
    if (of_lstm && !is_only_of_float_operators(fault)) fault.operators.push_back(Operator::DynamicQuantizeLSTM);
  }
}

}  // namespace cellproof::oracle::fault_tables
