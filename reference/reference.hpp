#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::reference {

/// Everything that the node computes, in the number type itself: nothing is rounded to the tensor's type, and the state
/// passes from step to step unrounded. Row-major, in the shapes of the node's outputs (layout applied): Y [T,D,N,H] or
/// [N,T,D,H]; Y_h and Y_c [D,N,H] or [N,D,H]. Y_c is empty for GRU and RNN.
template <class Real>
struct Trajectory {
  std::vector<Real> Y, Y_h, Y_c;
  Shape Y_shape, state_shape;
};

/// Computes a valid problem of any operator version under the given readings. Real: `double`,
/// `Mpfr50` (reference/mpfr_real.hpp) or `BinFloat50` (reference/bin_float_real.hpp, library
/// cellproof_reference_bin_float). `sequences_together`: of how many sequences H is quantised together, which the
/// reading dq-granularity=block-chunked leaves open (a kernel's number of threads decides it); read under that reading
/// only. Throws std::invalid_argument for a problem that spec/expectation.hpp calls invalid, and under that reading
/// where the number is not positive.
template <class Real>
Trajectory<Real> evaluate(const Problem& problem, const Readings& readings = {}, std::int64_t sequences_together = 0);

/// evaluate<Mpfr50>, each asked-for output rounded once to its type; nullopt for outputs not asked for.
Outputs run(const Problem& problem, const Readings& readings = {}, std::int64_t sequences_together = 0);

}  // namespace cellproof::reference
