#pragma once

#include <optional>

#include "oracle/course.hpp"

namespace cellproof::oracle {

/// The precisions that a verdict climbs through until it is decided (A. Ziv's strategy): `double`, whose own error is
/// allowed for by hand, then balls with 112, 224, 448 and 896 bits, which carry their error with them. With the bits
/// that functions have to spare (oracle/ball/ball.cpp) the first still fill two words, which need no memory of their
/// own.
inline constexpr int bits_of_double = 53;
inline constexpr int first_bits_of_balls = 112;
inline constexpr int most_bits = 896;

/// Where judging starts: in `double`, except of double tensors, whose steps a double cannot hold.
int first_rung(ElementType type);
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
