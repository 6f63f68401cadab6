#pragma once

#include <optional>

#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"

namespace cellproof::oracle {

/// Returns where judging starts.
int first_precision_level(const Task& task);

/// When what `double` finds beyond a bound is computed again in balls: before it is announced. Until then a search may
/// try what else would explain it.
enum class Confirm { Now, Later };

/// An evaluation in which every element is decided, and the precision level that it took.
struct Escalated {
  ElementEvaluation evaluation;
  int bits = bits_of_double;
};

/// The running evaluation, with what only the certified bound admits marked as SUSPECT, from the lowest precision level
/// that decides every element. `evaluation.any_open`: not even the last one does.
Escalated escalate(const Task& task, Confirm confirm);

/// The same from a given precision level on.
Escalated escalate_from(const Task& task, Confirm confirm, int bits);

/// Elements of which one is beyond its certified bound.
struct Beyond {
  std::optional<Stretch> stretch;  ///< nullopt: any, as where rows cannot be told apart
};

/// Looks for an element beyond its certified bound; nullopt where there is none. `likeliest`: where hypotheses about
/// the same outputs were found to be so before; most fail where the one before did, so that this place is looked at
/// first. Is set to where this one fails.
std::optional<Beyond> beyond_proof(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest = nullptr);

}  // namespace cellproof::oracle
