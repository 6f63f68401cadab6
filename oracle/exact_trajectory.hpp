#pragma once

#include <optional>
#include <vector>

#include "oracle/ball/ball.hpp"
#include "oracle/task.hpp"

namespace cellproof::oracle {

/// The recurrence as the specification writes it, over the real numbers, with nothing rounded to any format: balls that
/// hold every state. Not of DynamicQuantizeLSTM's quantised readings, which are binary32 arithmetic by their meaning.
struct ExactTrajectory {
  std::vector<Ball> H;  ///< [T][D][N][H] by rank, as ElementEvaluation::y_place; NaN where an infinity or NaN came in
                        ///< before, any number from where on these bits hold no digit of any state
  std::vector<Ball> C;  ///< [D][N][H] after the last step; empty for GRU and RNN
  int bits = 0;         ///< that it was computed with
  bool certain = true;  ///< is every state's correctly rounded value in the tensor's type certain?
};

/// With midpoints of so many bits. The task's readings are followed, its fault hooks and outputs are not looked at.
ExactTrajectory exact_trajectory(const Task& task, int bits);

/// With 112, 224, ... bits, until everything is certain or `most` are used up, or are likely to be too few. Weights
/// that blow errors up cost bits: one for each doubling.
ExactTrajectory certified_trajectory(const Task& task, int most = 4096);

/// The number of the type that is nearest to what the ball holds, ties to even; nullopt where that is not one and the
/// same for all of it.
std::optional<double> correctly_rounded(const Ball& x, ElementType type);

}  // namespace cellproof::oracle
