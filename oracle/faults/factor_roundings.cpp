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
  std::vector<Fault> list;
  for (const ProductsKept kept : {ProductsKept::Rounded, ProductsKept::RoundedWithBias})
    list.push_back(fault_of({of_float_weights(), bits, FactorRounding::ToEven, true, true, kept}));
  return list;
}

/// Moves the biases behind the products' rounding, or rounds them and moves them in front of it: in a GRU that of the
/// candidate alone, whose product with R is the last one that a step makes.
void round_products(FaultyCell& cell, int bits, bool with_bias) {
  StepSwitches& s = cell.switches;
  s.product_bits = bits;
  s.late_Wb = std::exchange(cell.Wb, std::vector<double>(cell.Wb.size()));
  s.late_Rb = std::exchange(cell.Rb, std::vector<double>(cell.Rb.size()));
  if (!with_bias) return;
  const std::size_t first = cell.op == Operator::GRU ? at(2 * cell.hidden) : 0;
  for (std::size_t row = first; row < cell.Rb.size(); ++row) {
    double& of_x = s.late_Wb[row];
    double& of_h = s.late_Rb[row];
    const double joined = cell.linear_before_reset ? of_h : static_cast<float>(std::exchange(of_x, 0) + of_h);
    cell.Rb[row] = with_bits(joined, bits);
    of_h = 0;
  }
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
  const auto change = [bits = rounded.bits, rounding = rounded.rounding, of_x = rounded.of_x, of_h = rounded.of_h,
                       products = rounded.products](FaultyCell& cell, const CellSource&) {
    cell.switches.factors = rounding;
    if (of_x) cell.switches.x_bits = bits;
    if (of_h) cell.switches.h_bits = bits;
    for (auto* weights : {of_x ? &cell.W : nullptr, of_h ? &cell.R : nullptr}) {
      if (!weights) continue;
      for (double& weight : *weights) weight = factor_with_bits(weight, bits, rounding);
    }
    cell.summarise_weights();
    if (products != ProductsKept::Whole) round_products(cell, bits, products == ProductsKept::RoundedWithBias);
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
