#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/protocol.hpp"
#include "spec/outcome.hpp"

namespace cellproof::engines::testing {

/// Something that a worker can do instead of its duty, and what must be said of the case to which it does it.
struct Misdeed {
  std::string_view name;
  OutcomeKind kind;
  std::string_view words;  ///< a part of the outcome's message
  bool by_number = false;  ///< only a worker that numbers its answers can do it
};

/// Those of the worker `cellproof-engine-nemesis`; the more often one stands here, the more often it is done.
const std::vector<Misdeed>& misdeeds();

/// Tells RUN requests apart by model and inputs: a name that is good for a file.
std::string identity_of(const Frame& run);

}  // namespace cellproof::engines::testing
