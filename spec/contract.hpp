#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "spec/element_type.hpp"

namespace cellproof {

/// Named answers to "what may honest arithmetic do". The switches behind an id are the oracle's.
enum class ContractId {
  F32Strict,
  F32,
  F32Ftz,
  F32FastActivations,
  Tf32,
  F32Inside,
  F32InsideStored,
  Elementwise16,
  Accumulate16,
  F64,
  F64ViaF32,
};

/// "f32-strict", "f32", "f32-ftz", "f32-fast-activations", "tf32", "f32-inside", "f32-inside-stored", "elementwise-16",
/// "accumulate-16", "f64", "f64-via-f32"
std::string_view name(ContractId id);
std::optional<ContractId> contract_named(std::string_view text);
std::span<const ContractId> all_contracts();

/// f32 -> F32, f16 and bf16 -> F32Inside, f64 -> F64. Throws std::invalid_argument for an integer type.
ContractId default_contract(ElementType type);

}  // namespace cellproof
