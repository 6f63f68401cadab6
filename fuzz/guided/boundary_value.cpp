#include "fuzz/guided/boundary_value.hpp"

#include <cmath>
#include <initializer_list>

namespace cellproof::fuzz {
namespace {

/// Points where the pieces of a function meet. Those of the smooth ones are where implementations change from a series
/// or a table to something else: at 0.
std::vector<double> knots_of(const ResolvedFunction& f) {
  if (f.name == "ThresholdedRelu") return {f.alpha};
  if (f.name == "HardSigmoid" && f.alpha != 0) return {-double{f.beta} / f.alpha, (1 - double{f.beta}) / f.alpha};
  if (f.name == "Affine") return {};
  return {0};
}

/// Ends of an exponential e^x: beyond 17 the sum with 1 is 1 or e^x in float, beyond 88.7 it overflows, below -87.3 it
/// is subnormal and below -103.9 it is 0. In double: 37, 709.8, -708.4. `scale`: what the argument is multiplied with.
std::vector<double> ends_of_exponential(double scale) {
  std::vector<double> ends;
  if (scale == 0 || !std::isfinite(scale)) return ends;
  for (const double end : {5.0, 8.0, 9.01, 11.09, 16.6, 17.33, 20.0, 37.0, 44.36, 87.33, 88.72, 103.97}) {
    ends.push_back(end / scale);
    ends.push_back(-end / scale);
  }
  return ends;
}

std::vector<double> saturations_of(const ResolvedFunction& f) {
  if (f.name == "Tanh" || f.name == "Sigmoid" || f.name == "Softplus" || f.name == "Elu") return ends_of_exponential(1);
  if (f.name == "ScaledTanh") return ends_of_exponential(f.beta);
  if (f.name == "Softsign") return {256, -256, 16777216, -16777216};
  return {};
}

}  // namespace

std::vector<Target> targets_of(const ResolvedFunction& function, std::optional<float> clip) {
  std::vector<Target> targets;
  if (clip) targets = {{BoundaryValue::ClipLimit, *clip}, {BoundaryValue::ClipLimit, -double{*clip}}};
  for (const double knot : knots_of(function)) targets.push_back({BoundaryValue::Knot, knot});
  for (const double end : saturations_of(function)) targets.push_back({BoundaryValue::Saturation, end});
  for (int exponent = 4; exponent <= 24; exponent += 4) {
    targets.push_back({BoundaryValue::NearZero, std::ldexp(1.0, -exponent)});
    targets.push_back({BoundaryValue::NearZero, -std::ldexp(1.0, -exponent)});
  }
  targets.push_back({BoundaryValue::NearZero, std::ldexp(1.0, -130)});
  return targets;
}

}  // namespace cellproof::fuzz
