#pragma once

#include <vector>

#include "oracle/task.hpp"

namespace cellproof::oracle {

/// Numbers of a tensor in its order, and how far an honest engine's own may be off.
struct MadeTensor {
  std::vector<double> centre, radius;  ///< radius infinite: nothing is known
};

/// Outputs of a node that nobody saw, by position, as an honest engine may store them: the certified forward bound, by
/// the Jacobians or step by step, whichever is sharper.
std::vector<MadeTensor> made_outputs(const Task& task);

/// The same, step by step alone: much quicker, and soon so wide that only the centres say something.
std::vector<MadeTensor> quickly_made_outputs(const Task& task);

}  // namespace cellproof::oracle
