// BinFloat50 and Mpfr50 are two implementations of 50-digit arithmetic with nothing in common but the equations: where
// they agree, rounding, series and special cases of the number types are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reference/bin_float_real.hpp"
#include "reference/mpfr_real.hpp"
#include "reference/reference.hpp"
#include "reference/testing/cases.hpp"
#include "spec/case_text.hpp"

namespace cellproof::reference {
namespace {

Mpfr50 as_mpfr(const BinFloat50& x) {
  return Mpfr50(x.str(60, std::ios_base::scientific));
}

/// All that a case computes, one output after the other.
template <class Real>
std::vector<Real> values_of(const Problem& problem) {
  auto [Y, Y_h, Y_c, Y_shape, state_shape] = evaluate<Real>(problem);
  Y.insert(Y.end(), Y_h.begin(), Y_h.end());
  Y.insert(Y.end(), Y_c.begin(), Y_c.end());
  return Y;
}

/// The largest difference of the two, relative to the largest magnitude of the case: a function of 50-digit arguments
/// is known to 50 digits of its own only where its argument is of moderate size, and e^-100000 to five fewer. Infinite
/// where one of the two is NaN or infinite alone.
Mpfr50 distance(const std::vector<BinFloat50>& a, const std::vector<Mpfr50>& b) {
  const Mpfr50 unequal = std::numeric_limits<double>::infinity();
  Mpfr50 largest = 0, difference = 0;
  if (a.size() != b.size()) return unequal;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Mpfr50 x = as_mpfr(a[i]);
    const bool same = x == b[i] || (isnan(x) && isnan(b[i]));
    if (!same && (!isfinite(x) || !isfinite(b[i]))) return unequal;
    if (!isfinite(x)) continue;
    largest = std::max<Mpfr50>(largest, abs(x));
    difference = std::max<Mpfr50>(difference, abs(x - b[i]));
  }
  return difference == 0 ? difference : Mpfr50(difference / largest);
}

class Agreement : public ::testing::TestWithParam<OperatorVersion> {};

TEST_P(Agreement, OfTwoArithmeticsOverAThousandRandomCases) {
  constexpr std::uint64_t cases = 1000;
  const Mpfr50 tolerance("1e-45");
  std::size_t elements = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const Case c = testing::random_case(GetParam(), seed);
    const Problem problem = make_problem(c);
    const auto ours = values_of<BinFloat50>(problem);
    ASSERT_LE(distance(ours, values_of<Mpfr50>(problem)), tolerance) << to_text(c);
    elements += ours.size();
  }
  EXPECT_GT(elements, 10 * cases);
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, Agreement,
                         ::testing::ValuesIn(all_operator_versions().begin(), all_operator_versions().end()),
                         [](const auto& parameter) {
                           return std::string(name(parameter.param.op)) + "_" +
                                  std::to_string(parameter.param.since_version);
                         });

}  // namespace
}  // namespace cellproof::reference
