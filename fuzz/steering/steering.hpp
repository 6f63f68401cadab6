#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/outcome.hpp"

namespace cellproof::fuzz {

/// A search that moves values towards trouble. It starts from cases drawn at random, most of which get a
/// function and a clip that have edges, aims the arguments of their gates
/// at clip limits, knots, saturation and cancellation (aim.hpp), puts quantised inputs on ties, makes states subnormal
/// and recurrences grow, and goes on from those cases whose worst element came closest to what honest arithmetic may
/// reach: the largest ratio of error to running bound. Only the judge says that something is wrong.
/// Deterministic: what it tries depends on the seed and on what it has learnt.
class Steering {
 public:
  explicit Steering(std::uint64_t seed) : seed_(seed) {}

  /// The next case to try. Valid.
  Case next();

  /// What came of the last one: the engine's outcome, and the judge's ratio of error to running bound at its worst
  /// element (0 where it has none).
  void learn(const Outcome& outcome, double ratio);

  /// What the last case is: "drawn", or the move that made it.
  std::string_view move() const { return move_; }

 private:
  struct Tried {
    Case c;
    Outcome outcome;
    double ratio = 0;
  };

  std::uint64_t word();
  Case drawn();
  Case moved(const Tried& from);

  std::uint64_t seed_;
  std::uint64_t index_ = 0;  ///< of cases drawn
  std::uint64_t words_ = 0;
  int moves_left_ = 0;  ///< from the case that was drawn last
  Case current_;
  std::string_view move_ = "drawn";
  Tried start_;              ///< the case that was drawn last
  std::vector<Tried> pool_;  ///< the largest ratios so far
};

}  // namespace cellproof::fuzz
