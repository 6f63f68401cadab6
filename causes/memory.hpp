#pragma once

#include <span>
#include <vector>

#include "causes/cover.hpp"

#include "spec/finding.hpp"

namespace cellproof::causes {

/// The cover's fault that takes what memory holds by chance, and explains the item with another number there than the
/// catalogue's 0; nullptr where none does, and once the time is used up.
const oracle::Fault* explained_by_memory(const Cover& cover, Cover::Item& item);

/// The cover's fault for which a finding of uninitialised memory, or of two answers that differ, is what is to be
/// expected: the fault takes what memory holds and can act on the case that the finding's own reduction came to in the
/// end. nullptr where there is none, and of a finding that was not reduced so far.
const oracle::Fault* fault_behind_chance(const Cover& cover, const Finding& finding);

/// The same of cases that fail alike and of which nobody proved what they need: the fault can act on each of them.
/// nullptr also where they are few, which might be an accident.
const oracle::Fault* fault_behind_chance(const Cover& cover, const std::vector<const Finding*>& alike);

/// Do so many findings of uninitialised memory, or of two answers that differ, come where the fault can act that it is
/// no accident? It takes what memory holds, then, and what it does not explain with any one number there speaks not
/// against it.
bool is_shown_by_chance(const Cover& cover, const oracle::Fault& fault, std::span<const Answered> answers);

}  // namespace cellproof::causes
