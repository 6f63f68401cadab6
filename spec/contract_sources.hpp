#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/contract.hpp"

namespace cellproof {

/// Source of a contract's numbers: formats and roundings are facts of a kind of arithmetic, and the accuracy of
/// functions is a convention.
std::string_view source_of(ContractId id);

/// Settings of known runtimes that make them compute so, for people: "" where none is known.
std::string runtime_settings(ContractId id);

}  // namespace cellproof
