#include "oracle/contract.hpp"

#include <array>
#include <stdexcept>

namespace cellproof::oracle {
namespace {

using enum ContractId;
using enum Carrier;

constexpr double truncated_to_10_bits = 0x1p-10;  // TF32 hardware either rounds or cuts its operands
constexpr double rounded_to_half = 0x1p-11, rounded_to_brain = 0x1p-8, rounded_to_single = 0x1p-24;

// An activation's floor covers the literal formulas and clamped rational kernels, whose error is absolute near 0 and in
// the tails.
constexpr std::array<PrecisionContract, 16> rows = {{
    // id, sums, elements, states, factors, rounded by, narrowed, stored, attributes, nearest, ulps, floor
    {F32Strict, Own, Own, Own, Own, 0, false, false, false, false, 1, 0.5},
    {F32, Own, Own, Own, Own, 0, false, false, false, false, 4, 4},
    {F32FastActivations, Own, Own, Own, Own, 0, false, false, false, false, 32, 16},
    {Tf32, Own, Own, Own, TensorFloat, truncated_to_10_bits, false, false, false, false, 4, 4},
    {F32ByF16, Own, Own, Own, Half, rounded_to_half, false, false, false, false, 4, 4},
    {F32ByBf16, Own, Own, Own, Brain, rounded_to_brain, false, false, false, false, 4, 4},
    {F32InF16, Own, Half, Half, Half, rounded_to_half, true, true, true, false, 1, 1},
    {F32InBf16, Own, Brain, Brain, Brain, rounded_to_brain, true, true, true, false, 1, 1},
    {F32Inside, Single, Single, Own, Own, 0, false, false, false, true, 4, 4},
    {F32InsideStored, Single, Single, Own, Own, 0, false, true, false, true, 4, 4},
    {Elementwise16, Single, Own, Own, Own, 0, false, true, true, false, 1, 1},
    {Accumulate16, Own, Own, Own, Own, 0, false, true, true, false, 1, 1},
    {F64, Own, Own, Own, Own, 0, false, false, false, false, 4, 4},
    {F64ViaF32, Single, Single, Own, Single, rounded_to_single, true, false, true, false, 4, 4},
    {F64InF16, Single, Half, Half, Half, rounded_to_half, true, true, true, false, 1, 1},
    {F64InBf16, Single, Brain, Brain, Brain, rounded_to_brain, true, true, true, false, 1, 1},
}};

/// Each row, and the same with flushing.
constexpr auto table = [] {
  std::array<PrecisionContract, 2 * rows.size()> both{};
  for (std::size_t k = 0; k < both.size(); ++k) {
    both[k] = rows[k / 2];
    both[k].id = static_cast<ContractId>(k);
    both[k].flushed_subnormals = k % 2 == 1;
  }
  return both;
}();

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (static_cast<std::size_t>(rows[k].id) != 2 * k) return false;
  }
  return true;
}
static_assert(is_in_order());

ElementType a_type_of(ContractId id) {
  switch (without_flushing(id)) {
    case F32Strict:
    case F32:
    case F32FastActivations:
    case Tf32:
    case F32ByF16:
    case F32ByBf16:
    case F32InF16:
    case F32InBf16:
      return ElementType::Float;
    case F32Inside:
    case F32InsideStored:
    case Elementwise16:
    case Accumulate16:
      return ElementType::Float16;
    case F64:
    case F64ViaF32:
    case F64InF16:
    case F64InBf16:
      return ElementType::Double;
    default:
      break;
  }
  throw std::invalid_argument("ContractId outside its range");
}

}  // namespace

std::string_view name(Carrier carrier) {
  switch (carrier) {
    case Carrier::Own:
      return "own type";
    case Carrier::Single:
      return "float";
    case Carrier::Half:
      return "float16";
    case Carrier::Brain:
      return "bfloat16";
    case Carrier::TensorFloat:
      break;
  }
  return "TF32";
}

bool computes_in_16_bits(ContractId id) {
  const Carrier factors = contract(id).factors;
  return factors == Half || factors == Brain;
}

bool rounds_factors(ContractId id) {
  return contract(id).operand_rounding != 0;
}

FloatFormat format_of(Carrier carrier, ElementType type) {
  switch (carrier) {
    case Own:
      return float_format(type);
    case Single:
      return float_format(ElementType::Float);
    case Half:
      return float_format(ElementType::Float16);
    case Brain:
      return float_format(ElementType::BFloat16);
    case Carrier::TensorFloat:
      return {11, -126, 127, 0x1.ffcp127, 0x1p-126, 0x1p-136, 0x1p-11};
  }
  throw std::invalid_argument("Carrier outside its range");
}

const PrecisionContract& contract(ContractId id) {
  return table.at(static_cast<std::size_t>(id));
}

bool applies_to(ContractId id, ElementType type) {
  const ElementType family = type == ElementType::BFloat16 ? ElementType::Float16 : type;
  return a_type_of(id) == family;
}

}  // namespace cellproof::oracle
