#pragma once

#include <string>

#include "spec/finding.hpp"

namespace cellproof::reports::html {

/// Error against bound over the time steps, logarithmic, one panel per direction, of a judgement with a series: inline
/// SVG.
/// "" without one. More than 240 steps are thinned to the worst of each interval.
std::string plot(const Judgement& judgement);

}  // namespace cellproof::reports::html
