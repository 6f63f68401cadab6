// Faults of quantisation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "oracle/faults/tables.hpp"
#include "oracle/faulty_step/with_bits.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

struct Matrix {
  const char* letter;
  std::size_t weights, scale, zero_point;
};
constexpr std::array matrices{Matrix{"w", input::W, input::W_scale, input::W_zero_point},
                              Matrix{"r", input::R, input::R_scale, input::R_zero_point}};

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

/// Has each column of the matrix a scale, and each direction one zero point?
bool has_scales_alone_by_column(const Problem& problem, const Matrix& m) {
  return per_column(m.scale)(problem) && !per_column(m.zero_point)(problem);
}

bool reads_behind_last_zero_point(const Problem& problem) {
  return is_bidirectional(problem) && dimensions_of(problem).T > 0 &&
         std::ranges::any_of(matrices, [&](const Matrix& m) { return has_scales_alone_by_column(problem, m); });
}

/// The zero point that lies as far behind the first as the backward direction's scales are behind the first: where
/// memory holds this byte.
Fault zero_point_behind_the_last(int byte) {
  return of_problem("zero-point-behind-the-last", reads_behind_last_zero_point, [byte](Problem& problem) {
    for (const Matrix& m : matrices) {
      if (!has_scales_alone_by_column(problem, m)) continue;
      const bool is_signed = problem.inputs[m.zero_point].tensor->type() == ElementType::Int8;
      const int read = is_signed && byte > 127 ? byte - 256 : byte;
      change_values(problem, m.zero_point, [read](std::vector<double>& values) { values.back() = read; });
    }
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
  table.push_back(of_problem(fmt::format("{}-zero-point-ignored", m.letter), always,
                             [m](Problem& p) { fill(p, m.zero_point, 0); }));
  table.push_back(of_problem(fmt::format("{}-first-scale-for-all", m.letter), per_column(m.scale),
                             [m](Problem& p) { share_first(p, m.scale); }));
  table.push_back(
      of_problem(fmt::format("{}-scale-ignored", m.letter), always, [m](Problem& p) { fill(p, m.scale, 1); }));
  table.push_back(of_problem(fmt::format("{}-bytes-of-other-sign", m.letter), always,
                             [m](Problem& p) { turn_sign(p, m.weights); }));
  table.push_back(of_problem(fmt::format("{}-read-as-in-lstm", m.letter), always,
                             [m](Problem& p) { read_as_in_lstm(p, m.weights); }));
}

/// A fault of the dynamic quantisation of X and H.
Fault of_codes(std::string_view id, Needs needs, std::function<void(QuantiserSwitches&)> change) {
  const auto put_on = [change = std::move(change)](View& view) {
    change(view.fault_hooks.quantiser);
    return true;
  };
  return {fault_info(id), std::move(needs), put_on};
}

void add_of_codes(Table& table) {
  const auto add = [&](std::string_view id, Needs needs, std::function<void(QuantiserSwitches&)> change) {
    table.push_back(of_codes(id, std::move(needs), std::move(change)));
  };
  add("codes-cut-off", always, [](QuantiserSwitches& s) { s.truncates = true; });
  add("range-in-256-steps", always, [](QuantiserSwitches& s) { s.steps = 256; });
  add("codes-symmetric", always, [](QuantiserSwitches& s) { s.symmetric = true; });
  add("zero-points-of-codes-ignored", always, [](QuantiserSwitches& s) { s.drops_zero_point = true; });
  add("range-without-zero", always, [](QuantiserSwitches& s) { s.range_without_zero = true; });
  add("range-without-padding", is_ragged, [](QuantiserSwitches& s) { s.X_range_without_padding = true; });
  add("range-of-first-h", always, [](QuantiserSwitches& s) { s.H_range_of_first_step = true; });
}

bool has_signed_weights(const Problem& problem) {
  return problem.input(input::W)->type() == ElementType::Int8;
}

void add_of_sums(Table& table) {
  table.push_back(
      of_codes("pairs-saturate-in-16-bits", has_signed_weights, [](QuantiserSwitches& s) { s.pairs_saturate = true; }));
}

void keep_scales(Problem& problem, int bits) {
  for (const Matrix& m : matrices) {
    change_values(problem, m.scale, [bits](std::vector<double>& values) {
      for (double& value : values) value = with_bits(value, bits);
    });
  }
}

void add_of_precision(Table& table) {
  const auto of_bits = [&](std::string_view id, int QuantiserSwitches::*which, int bits) {
    table.push_back(of_codes(id, always, [which, bits](QuantiserSwitches& s) { s.*which = bits; }));
  };
  of_bits("f16-scales-of-codes", &QuantiserSwitches::scale_bits, 11);
  of_bits("bf16-scales-of-codes", &QuantiserSwitches::scale_bits, 8);
  of_bits("f16-products", &QuantiserSwitches::product_bits, 11);
  of_bits("bf16-products", &QuantiserSwitches::product_bits, 8);
  for (const auto& [name, bits] : {std::pair{"f16", 11}, std::pair{"bf16", 8}}) {
    table.push_back(of_problem(fmt::format("{}-scales-of-weights", name), always,
                               [bits = bits](Problem& p) { keep_scales(p, bits); }));
  }
}

}  // namespace

Table quantisation() {
  Table table;
  for (const Matrix& m : matrices) add_of_matrix(table, m);
  add_of_codes(table);
  add_of_sums(table);
  add_of_precision(table);
  table.push_back(of_problem("zero-points-ignored", always, [](Problem& p) {
    for (const Matrix& m : matrices) fill(p, m.zero_point, 0);
  }));
  table.push_back(
      of_problem("scales-exchanged", always, [](Problem& p) { exchange_tensors(p, input::W_scale, input::R_scale); }));
  table.push_back(of_problem("zero-points-exchanged", always,
                             [](Problem& p) { exchange_tensors(p, input::W_zero_point, input::R_zero_point); }));
  table.push_back(of_problem("scales-of-forward-for-both", is_bidirectional, [](Problem& p) {
    for (const Matrix& m : matrices) share_forward(p, m.scale);
  }));
  table.push_back(of_problem("zero-points-of-forward-for-both", is_bidirectional, [](Problem& p) {
    for (const Matrix& m : matrices) share_forward(p, m.zero_point);
  }));
  table.push_back(zero_point_behind_the_last(0));
  return table;
}

}  // namespace cellproof::oracle::fault_tables

namespace cellproof::oracle {

std::span<const Fault> with_other_memory(const Fault& fault) {
  static const std::vector<Fault> behind_the_last = [] {
    std::vector<Fault> faults;
    for (int byte = 1; byte < 256; ++byte) faults.push_back(fault_tables::zero_point_behind_the_last(byte));
    return faults;
  }();
  if (fault.id != behind_the_last.front().id) return {};
  return behind_the_last;
}

}  // namespace cellproof::oracle
