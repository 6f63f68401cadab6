#pragma once

#include <cstdint>
#include <vector>

#include "oracle/step/step.hpp"
#include "oracle/task.hpp"
#include "spec/verdict.hpp"

namespace cellproof::oracle {

/// What the judge says of one value element.
struct Element {
  double observed = 0, expected = 0;  ///< `expected`: one perfect step, rounded to the type
  double error = 0, bound = 0, ratio = 0;
  ElementClass cls = ElementClass::Exact;  ///< Divergent stands for "beyond the bound of this tier"
  bool open = false;  ///< within its bound, but so near to it that this precision does not vouch for it
};

/// All elements that were looked at. Y is ordered as violations are: by processed step, direction, batch, unit.
struct Course {
  std::vector<Element> Y;         ///< [T][D][N][H] by rank; where a row is shorter, untouched
  std::vector<Element> Y_h, Y_c;  ///< [D][N][H]; Y_h only where Y is missing; rows without steps untouched
  bool any_beyond = false, any_open = false;

  static std::size_t y_place(const Frame& f, std::int64_t rank, std::int64_t d, std::int64_t b) {
    return static_cast<std::size_t>(((rank * f.D + d) * f.N + b) * f.H);
  }
  static std::size_t state_place(const Frame& f, std::int64_t d, std::int64_t b) {
    return static_cast<std::size_t>((d * f.N + b) * f.H);
  }
};

/// What the judge says of an element whose honest values are `set`.
template <class Real>
Element element_of(const Enclosure<Real>& set, const Match& match, double observed, const Arithmetic& arithmetic);

/// The direction to look at as the k-th when a violation is all that is asked for: engines are right in the reverse one
/// less often.
inline std::int64_t likeliest_first(const Frame& f, std::int64_t k) {
  return f.D - 1 - k;
}

/// The steps of one row of one direction, from its first to `last` (a rank).
struct Stretch {
  std::int64_t d = 0, b = 0, last = 0;
};

/// Takes every row of every direction through its steps. Where Y is given, each step starts from the engine's own state
/// (the residual judge); elsewhere from the set that the step before leads to (the forward judge). `stop_early`: return
/// as soon as one element is beyond its bound. `bits`: a rung of oracle/ladder.hpp. `only`: leaves all other elements
/// untouched, where rows do not depend on each other (is_by_rows).
Course run_course(const Task& task, Tier tier, bool stop_early, int bits, const Stretch* only = nullptr);

/// Can a row be judged without the others? Not where a range is taken over states that were not observed, or a fault
/// leads from one row to the next.
bool is_by_rows(const Task& task);

/// The gates of one unit at one step.
std::vector<Trace::Value> gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                   std::int64_t unit, int bits);

/// The forward sets of all states, with no outputs looked at: index as in Course; C is empty for GRU and RNN.
struct Trajectory {
  std::vector<Enclosure<Ball>> H;  ///< [T][D][N][H] by rank
  std::vector<Enclosure<Ball>> C;  ///< [D][N][H] after the last step
};
Trajectory forward_sets(const Task& task, int bits);

}  // namespace cellproof::oracle
