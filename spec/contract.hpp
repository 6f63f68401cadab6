#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "spec/element_type.hpp"

namespace cellproof {

/// Named answers to "what may honest arithmetic do". The switches behind an id are the oracle's. From strict to wide
/// within a type; each is followed by the same with subnormals flushed.
enum class ContractId {
  F32Strict,
  F32StrictFtz,
  F32,
  F32Ftz,
  F32FastActivations,
  F32FastActivationsFtz,
  Tf32,
  Tf32Ftz,
  F32ByF16,
  F32ByF16Ftz,
  F32ByBf16,
  F32ByBf16Ftz,
  F32InF16,
  F32InF16Ftz,
  F32InBf16,
  F32InBf16Ftz,
  F32Inside,
  F32InsideFtz,
  F32InsideStored,
  F32InsideStoredFtz,
  Elementwise16,
  Elementwise16Ftz,
  Accumulate16,
  Accumulate16Ftz,
  F64,
  F64Ftz,
  F64ViaF32,
  F64ViaF32Ftz,
  F64InF16,
  F64InF16Ftz,
  F64InBf16,
  F64InBf16Ftz,
};

/// "f32-strict", "f32", "f32-fast-activations", "tf32", "f32-by-f16", "f32-by-bf16", "f32-in-f16", "f32-in-bf16",
/// "f32-inside", "f32-inside-stored", "elementwise-16", "accumulate-16", "f64", "f64-via-f32", "f64-in-f16",
/// "f64-in-bf16"; each with "-ftz", too.
std::string_view name(ContractId id);
std::optional<ContractId> contract_named(std::string_view text);
std::span<const ContractId> all_contracts();

/// Does the contract let subnormals become 0?
bool flushes(ContractId id);
/// The same contract without that permission.
ContractId without_flushing(ContractId id);

/// f32 -> F32, f16 and bf16 -> F32Inside, f64 -> F64. Throws std::invalid_argument for an integer type.
ContractId default_contract(ElementType type);

}  // namespace cellproof
