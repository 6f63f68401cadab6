#pragma once

#include <set>
#include <string>
#include <vector>

#include "corpus/vector_selection.hpp"
#include "lab/vectors/candidates.hpp"

namespace cellproof::lab {

/// Number of the chosen cases that find each fault, where so many can, in each version.
constexpr int finders_of_a_fault = 2;

/// Chooses few and small of the candidates such that in each version every fault is found that any of them finds there,
/// twice where two find it, every reading told that any tells, and every axis value met that any has. Greedy: the most
/// that is new for its numbers comes first; what later ones make unnecessary is taken out again. `withheld`: ids of
/// faults that nobody looks at.
std::vector<const VectorCandidate*> chosen_of(const std::vector<VectorCandidate>& candidates,
                                              const std::set<std::string>& withheld = {});

/// The chosen cases by operator, the smallest first, with names ("LSTM-01") and what each is there for.
corpus::VectorSelection selection_of(const std::vector<const VectorCandidate*>& chosen, const std::string& version);

}  // namespace cellproof::lab
