#pragma once

#include <functional>

#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof::engines {

/// Runs a problem on an engine, whichever that is.
using Probe = std::function<Outcome(const Problem&)>;

}  // namespace cellproof::engines
