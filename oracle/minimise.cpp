#include "oracle/minimise.hpp"

#include "spec/axes.hpp"

namespace cellproof::oracle {
namespace {

void set_axis(const Axis& axis, const std::string& value, Case& c, const StillFails& still_fails) {
  Case simpler = axis.apply(c, value);
  if (simpler != c && still_fails(simpler)) c = std::move(simpler);
}

void reset_axis(const Axis& axis, Case& c, const StillFails& still_fails) {
  const auto values = axis.values(c.version);
  if (!values.empty() && axis.of(c) != values.front()) set_axis(axis, values.front(), c, still_fails);
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

Case shrink(Case c, const StillFails& still_fails) {
  for (const char* size : {"T", "N", "I", "H"}) {
    if (axis(size).of(c) != "0") set_axis(axis(size), "1", c, still_fails);
  }
  return c;
}

}  // namespace cellproof::oracle
