#include "spec/contract.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr std::array contract_ids = {
    ContractId::F32Strict,    ContractId::F32,       ContractId::F32Ftz,          ContractId::F32FastActivations,
    ContractId::Tf32,         ContractId::F32Inside, ContractId::F32InsideStored, ContractId::Elementwise16,
    ContractId::Accumulate16, ContractId::F64,       ContractId::F64ViaF32};
constexpr NameTable<contract_ids.size()> contract_names = {
    "f32-strict",     "f32",           "f32-ftz", "f32-fast-activations", "tf32", "f32-inside", "f32-inside-stored",
    "elementwise-16", "accumulate-16", "f64",     "f64-via-f32"};

}  // namespace

std::string_view name(ContractId id) {
  return contract_names.at(static_cast<std::size_t>(id));
}

std::optional<ContractId> contract_named(std::string_view text) {
  return find_name<ContractId>(contract_names, text);
}

std::span<const ContractId> all_contracts() {
  return contract_ids;
}

ContractId default_contract(ElementType type) {
  switch (type) {
    case ElementType::Float:
      return ContractId::F32;
    case ElementType::Float16:
    case ElementType::BFloat16:
      return ContractId::F32Inside;
    case ElementType::Double:
      return ContractId::F64;
    default:
      throw std::invalid_argument("default_contract: " + std::string(onnx_name(type)) +
                                  " is not a floating-point type");
  }
}

}  // namespace cellproof
