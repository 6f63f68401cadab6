#pragma once

#include <cstddef>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports {

/// An engine with its causes, of which there is room for some.
struct ListedCauses {
  const EngineTally* engine = nullptr;
  std::vector<const ShownCause*> causes;  ///< the worst first
  std::size_t shown = 0;

  std::size_t left_out() const { return causes.size() - shown; }
};

/// Shows the worst cause of each engine, then the next of each, as long as there are lines. That some of an engine's
/// causes are shown and others are not takes a line, too.
std::vector<ListedCauses> list_causes(const std::vector<EngineTally>& engines, const std::vector<ShownCause>& causes,
                                      std::size_t lines);

}  // namespace cellproof::reports
