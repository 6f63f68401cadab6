#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "oracle/forward/generators.hpp"
#include "oracle/layout.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {

/// A reference, and how far from it an honest engine's own state can be: reference + a linear form of symbols. The
/// reference need not be what anything computes; it stands near the exact trajectory.
template <class Real>
struct ForwardState {
  ForwardState(int units, bool has_cell)
      : h(static_cast<std::size_t>(units)),
        c(has_cell ? static_cast<std::size_t>(units) : 0),
        h_radius(h.size()),
        c_radius(c.size()),
        symbols(units, has_cell) {}

  bool is_bounded() const {
    const auto finite = [](double r) { return std::isfinite(r); };
    return std::ranges::all_of(h_radius, finite) && std::ranges::all_of(c_radius, finite);
  }
  /// Makes the least symbols part of the new ones, so that at most so many are kept.
  void reduce(int most_symbols) {
    constexpr double small_share = 0.01;
    symbols.reduce(most_symbols, small_share, h_radius, c_radius);
  }

  std::vector<Real> h, c;                  ///< exact numbers
  std::vector<double> h_radius, c_radius;  ///< of the linear forms
  Generators symbols;
};

/// One step of a forward bound that follows the Jacobians: an honest engine's errors go on as the weights have it,
/// signs and all, and not as their magnitudes would.
template <class Real>
class ForwardStep {
 public:
  virtual ~ForwardStep() = default;

  /// Takes the state through a step, and fills H and C; of `in`, its states are taken from `state`. False where a
  /// number may be none, or may have overflowed, so that nothing is known.
  virtual bool take(StepInput<Real> in, ForwardState<Real>& state) = 0;

  std::vector<Enclosure<Real>> H, C;  ///< what the step leads to, before it is rounded to the tensor's type
};

/// Numbers of old symbols that are kept. Few are enough for most rows; with many, which can take a minute, rows are
/// followed from the start where the bound runs away with few.
struct KeptSymbols {
  int few = 0, many = 0;
};

/// Fewer where steps and rows are so many that it would take long.
KeptSymbols kept_symbols(const Layout& layout, const Cell& cell);

/// The forward step of the cell's operator, for double and for balls. Cell and arithmetic must outlive it.
template <class Real>
std::unique_ptr<ForwardStep<Real>> forward_step_of(const Cell& cell, const Arithmetic& arithmetic, Tier tier);

extern template std::unique_ptr<ForwardStep<double>> forward_step_of(const Cell&, const Arithmetic&, Tier);
extern template std::unique_ptr<ForwardStep<Ball>> forward_step_of(const Cell&, const Arithmetic&, Tier);

}  // namespace cellproof::oracle
