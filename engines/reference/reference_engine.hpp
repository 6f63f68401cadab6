#pragma once

#include "engines/engine.hpp"

namespace cellproof::engines {

/// Cellproof's reference as an engine like any other: every output computed in high precision and rounded once to its
/// type. Refuses what the specification says must be refused, and nothing else.
class ReferenceEngine : public Engine {
 public:
  EngineDescription describe() override;
  Support supports(const Problem& problem) override;
  Outcome run(const Problem& problem) override;
};

}  // namespace cellproof::engines
