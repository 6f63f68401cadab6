#pragma once

#include <cstdint>

#include "oracle/still_fails.hpp"
#include "spec/finding.hpp"

namespace cellproof::oracle {

/// Amount that a reader has to look at: numbers in X, W and R together, those of them that are not 0, those that are
/// neither 0 nor 1.
struct NumberCount {
  std::int64_t all = 0;
  std::int64_t not_zero = 0;
  std::int64_t not_zero_or_one = 0;
};
NumberCount count_numbers(const Case& c);

/// Counts the numbers in X, W and R of the smallest case that is known of the finding. Returns the largest count where
/// its line cannot be read.
std::int64_t numbers_in_smallest(const Finding& finding);

/// Makes the values of the tensors (but sequence_lens) as simple as the case still fails with: whole tensors 0 or 1,
/// then halves of them and smaller blocks 0, numbers with fewer bits (+-1, powers of two, 3 bits, 7 bits), and at last
/// each number by itself. What is cheap for many numbers is asked first, so that a limit on the questions cuts off
/// what brings least. Shapes and types stay. A tensor that is too large to stand in a line as a literal is set to 0 as
/// a whole, or left alone.
Case minimise_numbers(Case c, const StillFails& still_fails);

}  // namespace cellproof::oracle
