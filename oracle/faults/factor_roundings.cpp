#include "oracle/faults/factor_roundings.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <vector>

#include "oracle/faults/tables.hpp"
#include "oracle/faulty_step/with_bits.hpp"

namespace cellproof::oracle {
namespace {

std::vector<Fault> every_rounding(int bits) {
  std::vector<Fault> list;
  for (const FactorRounding rounding : {FactorRounding::ToEven, FactorRounding::AwayFromZero, FactorRounding::CutOff}) {
    for (const auto& [of_x, of_h] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
      FaultInfo info;
      info.operators = {Operator::LSTM, Operator::GRU, Operator::RNN};
      list.push_back(fault_of({info, bits, rounding, of_x, of_h}));
    }
  }
  return list;
}

}  // namespace

Fault fault_of(const FactorFault& rounded) {
  const auto change = [bits = rounded.bits, rounding = rounded.rounding, of_x = rounded.of_x, of_h = rounded.of_h](
                          FaultyCell& cell, const CellSource&) {
    cell.switches.factors = rounding;
    if (of_x) cell.switches.x_bits = bits;
    if (of_h) cell.switches.h_bits = bits;
    for (auto* weights : {of_x ? &cell.W : nullptr, of_h ? &cell.R : nullptr}) {
      if (!weights) continue;
      for (double& weight : *weights) weight = factor_with_bits(weight, bits, rounding);
    }
    cell.summarise_weights();
  };
  const auto put_on = [change](View& view) {
    add_to(view.fault_hooks.cell, change);
    return true;
  };
  return {rounded.info, fault_tables::has_wide_type, put_on};
}

std::span<const Fault> factor_roundings(int bits, bool may_cut) {
  static const std::map<int, std::vector<Fault>> all{
      {8, every_rounding(8)}, {11, every_rounding(11)}, {24, every_rounding(24)}};
  const std::span<const Fault> list = all.at(bits);
  return may_cut ? list : list.first(list.size() * 2 / 3);  // those that cut stand last
}

}  // namespace cellproof::oracle
