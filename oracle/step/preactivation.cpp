#include "oracle/step/preactivation.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/step/grid.hpp"

namespace cellproof::oracle {
namespace {

double gamma_of(int n, double u) {
  const double nu = n * u;
  return nu < 0.5 ? nu / (1 - nu) : std::expm1(n * std::log1p(u));
}

/// Is the sum surely of one sign, with addends of the other that stay in the format's range in any order, so that it
/// is a number or one infinity, and never NaN? `error`: of the sum, and of its partial sums.
template <class Real>
bool overflows_one_way(const Addends<Real>& in, const Enclosure<Real>& sum, double total, double error,
                       const Arithmetic& m) {
  if (!in.whole || in.overflows || m.stored_intermediates) return false;
  if (!surely_less(Real(0), sum.lo) && !surely_less(sum.hi, Real(0))) return false;
  const double of_other_sign = (total + in.spread + in.peephole_radius - lower(abs(sum.centre))) / 2;
  return of_other_sign + error <= m.largest_accumulated;
}

}  // namespace

SumErrors::SumErrors(int terms, double u)
    : gamma(gamma_of(terms, u)),
      share(1.0 / terms),
      of_scatter(0.4 * terms * std::sqrt(terms)),
      of_sum(0.5 * terms),
      of_partial_sums(u * (1 + terms * u)) {}

template <class Real>
Enclosure<Real> preactivation(const Addends<Real>& in, const SumErrors& errors, Tier tier, const Arithmetic& m) {
  const Real centre = in.x + in.h + static_cast<Real>(in.Wb) + static_cast<Real>(in.Rb) + in.peephole;
  const double sum = upper(abs(centre)), x = upper(abs(in.x)), h = upper(abs(in.h)), peephole = upper(abs(in.peephole));
  const double biases = std::abs(in.Wb) + std::abs(in.Rb), apart = biases + peephole;
  const double total = in.magnitude + in.spread + apart + in.peephole_radius;
  if (in.spread == 0 && in.peephole_radius == 0 && never_rounded(in.grid, total, m)) {
    return Enclosure<Real>::point(centre);
  }

  double error = errors.gamma * total;
  if (tier == Tier::Running) {
    const double squares = in.squares + in.Wb * in.Wb + in.Rb * in.Rb + peephole * peephole;
    error = std::min(error, running_error(in.walk, squares, sum, total, apart, errors));
  }
  error += (2 + m.u_operand) * m.u_operand * (in.magnitude + in.spread) + m.u_input * biases + 2 * m.u_input * peephole;
  if (m.stored_intermediates) {
    error += m.u_storage * (x + h + std::abs(sum) + biases + 3 * in.spread + 3 * error) * (1 + 4 * m.u_storage) +
             3 * m.eta_storage;
  }
  error += in.spread + in.peephole_radius + in.terms * m.eta_accumulate;
  error += in.lost;
  error += (in.terms + 40) * own_roundoff<Real> * total;

  Enclosure<Real> result = Enclosure<Real>::around(centre, error);
  const bool stored_part_overflows =
      m.stored_intermediates && !(std::max(x + biases, h + in.spread + biases) + error <= m.largest_stored);
  const double growth = errors.gamma * total;  // of partial sums
  if (total + growth <= m.largest_accumulated && !stored_part_overflows && !in.overflows) return result;
  return result.with(overflows_one_way(in, result, total, error + growth, m) ? reaches_infinity : may_have_overflowed);
}

template Enclosure<double> preactivation(const Addends<double>&, const SumErrors&, Tier, const Arithmetic&);
template Enclosure<Ball> preactivation(const Addends<Ball>&, const SumErrors&, Tier, const Arithmetic&);

}  // namespace cellproof::oracle
