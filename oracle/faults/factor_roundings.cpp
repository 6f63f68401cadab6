#include "oracle/faults/factor_roundings.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"
#include "oracle/faulty_step/with_bits.hpp"

namespace cellproof::oracle {
namespace {

/// DynamicQuantizeLSTM has them under a reading that does not quantise.
FaultInfo of_float_weights() {
  FaultInfo info;
  info.operators = {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM};
  return info;
}

std::vector<Fault> every_rounding_of_products(int bits) {
  FactorFault kept{of_float_weights(), bits};
  std::vector<Fault> list;
  for (const ProductsKept products : {ProductsKept::Rounded, ProductsKept::RoundedWithBias}) {
    kept.products = products;
    list.push_back(fault_of(kept));
  }
  kept.info.operators = {Operator::GRU};
  kept.stores_reset_part = true;
  for (const ProductsKept products : {ProductsKept::Rounded, ProductsKept::RoundedWithBias}) {
    kept.products = products;
    list.push_back(fault_of(kept));
  }
  return list;
}

constexpr int bits_of_float = 24;

/// Moves the biases of these rows, joined and rounded, to the product with R, before it is rounded or after.
void join_biases(FaultyCell& cell, int bits, std::size_t first, std::size_t last, bool before) {
  StepSwitches& s = cell.switches;
  for (std::size_t row = first; row < last; ++row) {
    const double joined = with_bits(static_cast<float>(std::exchange(s.late_Wb[row], 0) + s.late_Rb[row]), bits);
    s.late_Rb[row] = before ? 0 : joined;
    if (before) cell.Rb[row] = joined;
  }
}

/// Moves the biases behind the products' rounding, or rounds them and moves them in front of it: in a GRU that of the
/// candidate alone, whose product with R is the last one that a step makes.
void round_products(FaultyCell& cell, const FactorFault& rounded) {
  StepSwitches& s = cell.switches;
  s.product_bits = rounded.bits;
  s.late_Wb = std::exchange(cell.Wb, std::vector<double>(cell.Wb.size()));
  s.late_Rb = std::exchange(cell.Rb, std::vector<double>(cell.Rb.size()));
  s.stores_reset_part = rounded.stores_reset_part;
  const std::size_t H = at(cell.hidden), candidate = cell.op == Operator::GRU ? 2 * H : 0;
  const int bits_of_reset = rounded.products == ProductsKept::RoundedWithBias ? bits_of_float : rounded.bits;
  if (s.stores_reset_part) join_biases(cell, bits_of_reset, H, 2 * H, false);
  if (rounded.products != ProductsKept::RoundedWithBias) return;
  if (!cell.linear_before_reset) return join_biases(cell, rounded.bits, candidate, cell.Rb.size(), true);
  for (std::size_t row = candidate; row < cell.Rb.size(); ++row)  // Wb stands outside of what r scales
    cell.Rb[row] = with_bits(std::exchange(s.late_Rb[row], 0), rounded.bits);
}

std::vector<Fault> every_rounding(int bits) {
  std::vector<Fault> list;
  for (const FactorRounding rounding : {FactorRounding::ToEven, FactorRounding::AwayFromZero, FactorRounding::CutOff}) {
    for (const auto& [of_x, of_h] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
      list.push_back(fault_of({of_float_weights(), bits, rounding, of_x, of_h}));
    }
  }
  return list;
}

}  // namespace

Fault fault_of(const FactorFault& rounded) {
  const auto change = [rounded](FaultyCell& cell, const CellSource&) {
    const auto& [info, bits, rounding, of_x, of_h, products, stores_reset_part] = rounded;
    cell.switches.factors = rounding;
    if (of_x) cell.switches.x_bits = bits;
    if (of_h) cell.switches.h_bits = bits;
    for (auto* weights : {of_x ? &cell.W : nullptr, of_h ? &cell.R : nullptr}) {
      if (!weights) continue;
      for (double& weight : *weights) weight = factor_with_bits(weight, bits, rounding);
    }
    if (products != ProductsKept::Whole) round_products(cell, rounded);
  };
  const auto put_on = [change](View& view) {
    add_to(view.fault_hooks.cell, change);
    return true;
  };
  return {rounded.info, fault_tables::has_wide_type, put_on};
}

std::span<const Fault> product_roundings(int bits) {
  static const std::map<int, std::vector<Fault>> all{{8, every_rounding_of_products(8)},
                                                     {11, every_rounding_of_products(11)}};
  return all.at(bits);
}

std::span<const Fault> factor_roundings(int bits, bool may_cut) {
  static const std::map<int, std::vector<Fault>> all{
      {8, every_rounding(8)}, {11, every_rounding(11)}, {24, every_rounding(24)}};
  const std::span<const Fault> list = all.at(bits);
  return may_cut ? list : list.first(list.size() * 2 / 3);  // those that cut stand last
}

}  // namespace cellproof::oracle
