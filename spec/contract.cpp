#include "spec/contract.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<32> contract_names = {"f32-strict",
                                          "f32-strict-ftz",
                                          "f32",
                                          "f32-ftz",
                                          "f32-fast-activations",
                                          "f32-fast-activations-ftz",
                                          "tf32",
                                          "tf32-ftz",
                                          "f32-by-f16",
                                          "f32-by-f16-ftz",
                                          "f32-by-bf16",
                                          "f32-by-bf16-ftz",
                                          "f32-in-f16",
                                          "f32-in-f16-ftz",
                                          "f32-in-bf16",
                                          "f32-in-bf16-ftz",
                                          "f32-inside",
                                          "f32-inside-ftz",
                                          "f32-inside-stored",
                                          "f32-inside-stored-ftz",
                                          "elementwise-16",
                                          "elementwise-16-ftz",
                                          "accumulate-16",
                                          "accumulate-16-ftz",
                                          "f64",
                                          "f64-ftz",
                                          "f64-via-f32",
                                          "f64-via-f32-ftz",
                                          "f64-in-f16",
                                          "f64-in-f16-ftz",
                                          "f64-in-bf16",
                                          "f64-in-bf16-ftz"};
static_assert(static_cast<std::size_t>(ContractId::F64InBf16Ftz) + 1 == contract_names.size());

constexpr auto contract_ids = [] {
  std::array<ContractId, contract_names.size()> ids{};
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<ContractId>(k);
  return ids;
}();

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

bool flushes(ContractId id) {
  return static_cast<std::size_t>(id) % 2 == 1;
}

ContractId without_flushing(ContractId id) {
  return static_cast<ContractId>(static_cast<std::size_t>(id) / 2 * 2);
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
