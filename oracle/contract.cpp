#include "oracle/contract.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cellproof::oracle {
namespace {

using enum ContractId;
using enum Carrier;

constexpr double truncated_to_10_bits = 0x1p-10;  // TF32 hardware either rounds or cuts its operands
constexpr double rounded_to_single = 0x1p-24;

// An activation's floor covers the literal formulas and clamped rational kernels, whose error is absolute near 0 and in
// the tails.
constexpr std::array<PrecisionContract, 11> table = {{
    // id, accumulate, elementwise, operands, narrowed, stored, attributes, flushed, nearest, ulps, floor
    {F32Strict, Own, Own, 0, false, false, false, false, false, 1, 0.5},
    {F32, Own, Own, 0, false, false, false, false, false, 4, 4},
    {F32Ftz, Own, Own, 0, false, false, false, true, false, 4, 4},
    {F32FastActivations, Own, Own, 0, false, false, false, false, false, 32, 16},
    {Tf32, Own, Own, truncated_to_10_bits, false, false, false, false, false, 4, 4},
    {F32Inside, Single, Single, 0, false, false, false, false, true, 4, 4},
    {F32InsideStored, Single, Single, 0, false, true, false, false, true, 4, 4},
    {Elementwise16, Single, Own, 0, false, true, true, false, false, 1, 1},
    {Accumulate16, Own, Own, 0, false, true, true, false, false, 1, 1},
    {F64, Own, Own, 0, false, false, false, false, false, 4, 4},
    {F64ViaF32, Single, Single, rounded_to_single, true, false, true, false, false, 4, 4},
}};

// Formats from narrow to wide permission: sums in binary16 forgive more than sums in binary32.
bool carrier_at_least_as_wide(Carrier wide, Carrier narrow, ElementType type) {
  const auto roundoff = [&](Carrier carrier) {
    return float_format(carrier == Own ? type : ElementType::Float).unit_roundoff;
  };
  return roundoff(wide) >= roundoff(narrow);
}

ElementType a_type_of(ContractId id) {
  switch (id) {
    case F32Strict:
    case F32:
    case F32Ftz:
    case F32FastActivations:
    case Tf32:
      return ElementType::Float;
    case F32Inside:
    case F32InsideStored:
    case Elementwise16:
    case Accumulate16:
      return ElementType::Float16;
    case F64:
    case F64ViaF32:
      return ElementType::Double;
  }
  throw std::invalid_argument("ContractId outside its range");
}

}  // namespace

const PrecisionContract& contract(ContractId id) {
  return *std::ranges::find(table, id, &PrecisionContract::id);
}

bool applies_to(ContractId id, ElementType type) {
  const ElementType family = type == ElementType::BFloat16 ? ElementType::Float16 : type;
  return a_type_of(id) == family;
}

bool at_least_as_wide(ContractId wide, ContractId narrow) {
  const ElementType type = a_type_of(narrow);
  if (!applies_to(wide, type)) return false;
  const PrecisionContract& w = contract(wide);
  const PrecisionContract& n = contract(narrow);
  const auto activation_error = [&](const PrecisionContract& c, double amount) {
    return amount * float_format(c.elementwise == Own ? type : ElementType::Float).unit_roundoff;
  };
  return carrier_at_least_as_wide(w.accumulate, n.accumulate, type) &&
         carrier_at_least_as_wide(w.elementwise, n.elementwise, type) && w.operand_rounding >= n.operand_rounding &&
         w.narrowed_inputs >= n.narrowed_inputs && w.stored_intermediates >= n.stored_intermediates &&
         w.rounded_attributes >= n.rounded_attributes && w.flushed_subnormals >= n.flushed_subnormals &&
         w.nearest_output <= n.nearest_output &&
         activation_error(w, w.activation_ulps) >= activation_error(n, n.activation_ulps) &&
         activation_error(w, w.activation_floor) >= activation_error(n, n.activation_floor);
}

std::vector<ContractId> wider_contracts(ContractId base, ElementType type) {
  std::vector<ContractId> list;
  for (const PrecisionContract& row : table) {  // the table's order is from strict to wide within a type
    if (row.id != base && applies_to(row.id, type) && at_least_as_wide(row.id, base)) list.push_back(row.id);
  }
  return list;
}

}  // namespace cellproof::oracle
