#include "oracle/minimise.hpp"

#include "spec/axes.hpp"

namespace cellproof::oracle {
namespace {

bool reset_axis(const Axis& axis, Case& c, const StillFails& still_fails) {
  const auto values = axis.values(c.version);
  if (values.empty() || axis.of(c) == values.front()) return false;
  Case simpler = axis.apply(c, values.front());
  if (simpler == c || !still_fails(simpler)) return false;
  c = std::move(simpler);
  return true;
}

}  // namespace

Case minimise(Case c, const StillFails& still_fails) {
  // An axis may bring others along: each round must leave fewer values away from their defaults.
  for (std::size_t left = axis_values(c).size() + 1; axis_values(c).size() < left;) {
    left = axis_values(c).size();
    for (const Axis& axis : axes()) reset_axis(axis, c, still_fails);
  }
  return c;
}

}  // namespace cellproof::oracle
