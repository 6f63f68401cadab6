#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "oracle/step/step.hpp"
#include "oracle/task.hpp"
#include "spec/verdict.hpp"

namespace cellproof::oracle {

/// The judge's word on one value element.
struct Element {
  double observed = 0, expected = 0;  ///< `expected`: one perfect step, rounded to the type
  double error = 0, bound = 0, ratio = 0;
  ElementClass cls = ElementClass::Exact;  ///< Divergent stands for "beyond the bound of this tier"
  bool open = false;  ///< within its bound, but so near to it that this precision does not vouch for it
};

/// All elements that were looked at. Y is ordered as violations are: by processed step, direction, batch, unit.
struct ElementEvaluation {
  std::vector<Element> Y;         ///< [T][D][N][H] by rank; where a row is shorter, untouched
  std::vector<Element> Y_h, Y_c;  ///< [D][N][H]; Y_h only where Y is missing; rows without steps untouched
  bool any_beyond = false, any_open = false;

  /// With a place for each element that the task's outputs have.
  static ElementEvaluation untouched(const Task& task);

  static std::size_t y_place(const Layout& f, std::int64_t rank, std::int64_t d, std::int64_t b) {
    return static_cast<std::size_t>(((rank * f.D + d) * f.N + b) * f.H);
  }
  static std::size_t state_place(const Layout& f, std::int64_t d, std::int64_t b) {
    return static_cast<std::size_t>((d * f.N + b) * f.H);
  }
};

/// Returns what the judge says of an element whose honest values are `set`.
template <class Real>
Element element_of(const Enclosure<Real>& set, const Match& match, double observed, const Arithmetic& m) {
  Element e{observed, expected_value(set, m), match.error, match.bound, match.ratio, ElementClass::Rounding, false};
  const bool overflowed = set.has(may_have_overflowed);
  if (!match.inside) {
    e.cls = overflowed ? ElementClass::Unverifiable : ElementClass::Divergent;
  } else if (set.has(is_unspecified)) {
    e.cls = ElementClass::Unspecified;
  } else if (overflowed && !set.is_finite()) {
    e.cls = ElementClass::Unverifiable;
  } else if (std::isnan(observed)) {
    e.cls = set.empty() ? ElementClass::Exact : ElementClass::Unverifiable;
  } else if (set.has(is_branched)) {
    e.cls = ElementClass::Unresolved;
  } else if (observed == e.expected && !overflowed) {  // after an overflow the centre is no more than a guess
    e.cls = ElementClass::Exact;
  }
  if (e.cls != ElementClass::Divergent && match.ratio > 1) e.ratio = 0;
  e.open = match.open && (e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding);
  return e;
}

/// Returns the direction to look at as the k-th when a violation is all that is asked for: engines are right in the
/// reverse one less often.
inline std::int64_t likeliest_first(const Layout& f, std::int64_t k) {
  return f.D - 1 - k;
}

/// The steps of one row of one direction, from its first to `last` (a rank): of all units, or of one where each is
/// known by itself.
struct Stretch {
  std::int64_t d = 0, b = 0, last = 0;
  std::int64_t unit = Task::every_unit;
};

/// The forward sets of all states, with no outputs looked at: index as in ElementEvaluation; C is empty for GRU and
/// RNN.
struct Trajectory {
  std::vector<Enclosure<Ball>> H;  ///< [T][D][N][H] by rank
  std::vector<Enclosure<Ball>> C;  ///< [D][N][H] after the last step
};

}  // namespace cellproof::oracle
