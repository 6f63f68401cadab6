#pragma once

#include <span>
#include <string>

#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle::testing {

/// Everything that the contracts allow these outputs: a line for each tier, with the number of elements of each class,
/// the sum of their bounds, and the largest error over bound. Rounded, so that a processor's own mathematics does not
/// show. Contracts that allow the same as the one before stand beside it; those of other types are left out.
std::string bounds_text(const Problem& problem, const Outputs& outputs, std::span<const ContractId> contracts);

/// A hash of all that the judge says in balls of every element under these contracts, bit by bit. The outputs are
/// honest numbers and their nearest dishonest neighbours, which no processor's own mathematics made; with Y, so that
/// every step is judged from one of them.
std::string digest_of_bounds(const Problem& problem, std::span<const ContractId> contracts);

}  // namespace cellproof::oracle::testing
