#include "oracle/step/plain_gates.hpp"

#include <cmath>
#include <limits>

#include "oracle/at.hpp"
#include "oracle/step/each_width.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/plain_interval.hpp"

namespace cellproof::oracle {
namespace {

/// Values that go into the pre-activations, by row.
struct SumRows {
  const double *x, *x_magnitude, *x_walk, *x_squares, *x_spread;
  const double *h, *h_magnitude, *h_walk, *h_squares, *h_spread;
  const double *Wb, *Rb;
  const double *W_unit, *R_unit, *b_unit;
  double x_unit, h_unit;
  double room;   ///< 2^exact_bits
  double limit;  ///< of clip
  double terms;
};

/// As preactivation() and Step::clipped do it.
template <Tier tier>
[[gnu::always_inline]] inline void sum_rows(const SumRows& in, const SumErrors& errors, const Arithmetic& m, int first,
                                            int last, double* __restrict centres, double* __restrict los,
                                            double* __restrict his, PlainMask* __restrict plains) {
  for (int r = first; r < last; ++r) {
    const double Wb = in.Wb[r], Rb = in.Rb[r], spread = in.x_spread[r] + in.h_spread[r];
    const double magnitude = in.x_magnitude[r] + in.h_magnitude[r];
    const double centre = in.x[r] + in.h[r] + Wb + Rb;
    const double sum = std::abs(centre), biases = std::abs(Wb) + std::abs(Rb);
    const double total = magnitude + spread + biases;
    // A sum that is perhaps exact is no more than its grid has room for. Of what is finite no grid vanishes that
    // counts: the coarsest that lies below the range of double is far below exact_grid.
    const double unit = plain_lesser(plain_lesser(in.W_unit[r] * in.x_unit, in.R_unit[r] * in.h_unit), in.b_unit[r]);
    const bool rounded = !(total <= unit * in.room);

    double error = errors.gamma * total;
    if constexpr (tier == Tier::Running) {
      const double squares = in.x_squares[r] + in.h_squares[r] + Wb * Wb + Rb * Rb;
      const double walk = in.x_walk[r] + in.h_walk[r];
      error = plain_lesser(error, running_error(walk, squares, sum, total, biases, errors));
    }
    error += spread + in.terms * m.eta_accumulate;
    error += (in.terms + 40) * own_roundoff<double> * total;

    const double lo = centre - error, hi = centre + error;
    const bool fits = (total + errors.gamma * total <= m.largest_accumulated) & (plain_greater(-lo, hi) < in.limit);
    centres[r] = centre;
    los[r] = lo;
    his[r] = hi;
    plains[r] = -static_cast<PlainMask>(rounded & fits & (lo < centre) & (centre < hi));
  }
}

CELLPROOF_FOR_EACH_WIDTH
void sum_rows_running(const SumRows& in, const SumErrors& errors, const Arithmetic& m, int first, int last,
                      double* __restrict centres, double* __restrict los, double* __restrict his,
                      PlainMask* __restrict plains) {
  sum_rows<Tier::Running>(in, errors, m, first, last, centres, los, his, plains);
}

CELLPROOF_FOR_EACH_WIDTH
void sum_rows_certified(const SumRows& in, const SumErrors& errors, const Arithmetic& m, int first, int last,
                        double* __restrict centres, double* __restrict los, double* __restrict his,
                        PlainMask* __restrict plains) {
  sum_rows<Tier::Certified>(in, errors, m, first, last, centres, los, his, plains);
}

/// As image() does it.
template <ActivationKind kind>
[[gnu::always_inline]] inline void take_images(const double* arguments, const double* values, const Arithmetic& m,
                                               int first, int last, double* __restrict los, double* __restrict his,
                                               PlainMask* __restrict plains) {
  for (int r = first; r < last; ++r) {
    const PlainInterval x{los[r], his[r]};
    const PlainInterval y = plain_image<kind>(values[r], arguments[r], x, m);
    const bool near = plain_reach(arguments[r], x) <= longest_sloped_reach;
    los[r] = y.lo;
    his[r] = y.hi;
    plains[r] &= -static_cast<PlainMask>(near & (y.lo < y.hi));
  }
}

CELLPROOF_FOR_EACH_WIDTH
void take_sigmoids(const double* arguments, const double* values, const Arithmetic& m, int first, int last,
                   double* __restrict los, double* __restrict his, PlainMask* __restrict plains) {
  take_images<ActivationKind::Sigmoid>(arguments, values, m, first, last, los, his, plains);
}

CELLPROOF_FOR_EACH_WIDTH
void take_tanhs(const double* arguments, const double* values, const Arithmetic& m, int first, int last,
                double* __restrict los, double* __restrict his, PlainMask* __restrict plains) {
  take_images<ActivationKind::Tanh>(arguments, values, m, first, last, los, his, plains);
}

std::vector<double> units_of(const std::vector<int>& grids) {
  std::vector<double> units;
  units.reserve(grids.size());
  for (const int grid : grids) units.push_back(std::ldexp(1.0, grid));
  return units;
}

}  // namespace

bool PlainGates::suits(const Cell& cell, const Arithmetic& m, int slot) {
  const ActivationKind kind = cell.activation[at(slot)].kind;
  return (kind == ActivationKind::Sigmoid || kind == ActivationKind::Tanh) && !m.stored_intermediates &&
         !m.flushed_subnormals && m.u_operand == 0 && m.u_input == 0;
}

PlainGates::PlainGates(const Cell& cell, const Arithmetic& arithmetic, const SumErrors& errors, Tier tier)
    : sets(at(cell.rows)),
      plain(at(cell.rows)),
      cell_(cell),
      m_(arithmetic),
      errors_(errors),
      tier_(tier),
      W_unit_(units_of(cell.W_grid)),
      R_unit_(units_of(cell.R_grid)),
      argument_(at(cell.rows)) {
  b_unit_.reserve(at(cell.rows));
  for (std::size_t r = 0; r < at(cell.rows); ++r)
    b_unit_.push_back(std::ldexp(1.0, std::min(lowest_bit(cell.Wb[r]), lowest_bit(cell.Rb[r]))));
}

void PlainGates::compute(int first, int last, int slot, const Sums<double>& x, const Sums<double>& h, int x_grid,
                         int h_grid) {
  const SumRows rows{x.value.data(),          x.magnitude.data(),
                     x.walk.data(),           x.squares.data(),
                     x.spread.data(),         h.value.data(),
                     h.magnitude.data(),      h.walk.data(),
                     h.squares.data(),        h.spread.data(),
                     cell_.Wb.data(),         cell_.Rb.data(),
                     W_unit_.data(),          R_unit_.data(),
                     b_unit_.data(),          std::ldexp(1.0, x_grid),
                     std::ldexp(1.0, h_grid), m_.exact_bits == 0 ? 0 : std::ldexp(1.0, m_.exact_bits),
                     plain_limit(cell_, m_),  static_cast<double>(cell_.terms)};
  const auto sum_up = tier_ == Tier::Running ? sum_rows_running : sum_rows_certified;
  sum_up(rows, errors_, m_, first, last, argument_.data(), sets.lo.data(), sets.hi.data(), plain.data());
  const Activation& function = cell_.activation[at(slot)];
  plain_values(function, argument_.data() + first, sets.centre.data() + first, last - first);
  const auto take = function.kind == ActivationKind::Tanh ? take_tanhs : take_sigmoids;
  take(argument_.data(), sets.centre.data(), m_, first, last, sets.lo.data(), sets.hi.data(), plain.data());
}

void plain_values(const Activation& function, const double* arguments, double* values, int count) {
  for (int k = 0; k < count; ++k) values[k] = value_of(function, arguments[k]);
}

double plain_limit(const Cell& cell, const Arithmetic& m) {
  return cell.clip ? *cell.clip * (1 - 2 * m.u_attribute) : std::numeric_limits<double>::infinity();
}

}  // namespace cellproof::oracle
