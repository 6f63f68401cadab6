#pragma once

#include <string>

#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// Work that a problem takes at the very least, whoever computes one product after another: padding left out, and,
/// where there is no initial state, the first step's product of R with zeros.
struct Work {
  double multiply_adds_of_X = 0;  ///< with W, over the steps that the lengths leave
  double multiply_adds_of_H = 0;  ///< with R
  bool of_bytes = false;          ///< products of 8-bit integers
  bool of_bfloat16 = false;       ///< or of bfloat16
  double bytes_of_W = 0;          ///< that have to be read once, all directions
  double steps = 0;               ///< that need R, one after the other: of the longest sequence
  double bytes_of_R = 0;          ///< that each step has to read, all directions
  double sigmoids = 0;
  double tanhs = 0;
};

/// Throws std::invalid_argument for a problem whose activations are not the operator's defaults: for others no rate is
/// measured.
Work work_of(const Problem& problem);

/// Rates of a machine in a second, all cores of the measurement together.
struct Rates {
  double multiply_adds = 0;  ///< of the problem's type
  double bytes_read = 0;     ///< from memory of the size of R, read again and again
  double sigmoids = 0;       ///< in a loop over numbers in the nearest cache
  double tanhs = 0;
};

/// The time in seconds below which the machine cannot come:
///   max(multiply-adds of X / their rate, bytes of W / rate of reading)
///   + max(multiply-adds of H / their rate, steps * bytes of R / rate of reading) + activations * their time.
double limit_of(const Work& work, const Rates& rates);

/// The same with its numbers, for people.
std::string formula_of(const Work& work, const Rates& rates);

}  // namespace cellproof::lab::bench
