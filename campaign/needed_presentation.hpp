#pragma once

#include <optional>

#include "engines/probe.hpp"
#include "oracle/knowledge.hpp"
#include "spec/presentation.hpp"
#include "spec/problem.hpp"
#include "spec/tensor.hpp"

namespace cellproof::campaign {

/// The way in which a node that fails inside its model fails alone, too.
struct NeededPresentation {
  std::optional<Dims> fails;  ///< the first sizes that must be symbols; Static: none need be; nullopt: it passes alone
};

/// Runs a failing node alone, first with sizes that are numbers, then with symbols. `seen` is what the engine gave
/// inside the model. nullopt where the engine does not run the node alone.
std::optional<NeededPresentation> needed_presentation(Problem node, const Outputs& seen, const engines::Probe& run,
                                                      const oracle::Knowledge& known);

}  // namespace cellproof::campaign
