#pragma once

#include <optional>

#include "oracle/run_course.hpp"
#include "oracle/rungs.hpp"

namespace cellproof::oracle {

/// Returns where judging starts.
int first_rung(const Task& task);

/// When what `double` finds beyond a bound is computed again in balls: before it is announced. Until then a search may
/// try what else would explain it.
enum class Confirm { Now, Later };

/// A course in which every element is decided, and the rung that it took.
struct Climbed {
  Course course;
  int bits = bits_of_double;
};

/// The running course, with what only the certified bound admits marked as SUSPECT, from the lowest rung that decides
/// every element. `course.any_open`: not even the last one does.
Climbed climb(const Task& task, Confirm confirm);

/// The same from a given rung on.
Climbed climb_from(const Task& task, Confirm confirm, int bits);

/// Is an element beyond its certified bound? `likeliest`: where hypotheses about the same outputs were found to be so
/// before; most fail where the one before did, so that this place is looked at first. Is set to where this one fails.
bool is_beyond_proof(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest = nullptr);

}  // namespace cellproof::oracle
