#pragma once

#include "oracle/step/activation.hpp"

namespace cellproof::oracle {

/// The slope of the function at x; beside a knee that of the piece x belongs to.
double slope_of(const Activation& activation, double x);

/// Bounds |f(y) - f(x) - slope_of(x) (y - x)| for |y - x| <= reach, where slope_of(x) is known up to its rounding, and
/// x is a rounded number itself. Infinite where the function has a knee or a jump so near, and where nothing is known
/// of its slope: then no error is followed through it.
double bend_of(const Activation& activation, double x, double reach);

/// Bounds how much steeper than at the ends of an interval the function can be inside it.
double steepening_of(const Activation& activation, double reach);

}  // namespace cellproof::oracle
