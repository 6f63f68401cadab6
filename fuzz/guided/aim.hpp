#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "spec/case.hpp"
#include "spec/outcome.hpp"

namespace cellproof::fuzz {

/// An endless sequence of numbers that depends on its key alone: word(k) is the k-th.
using Words = std::function<std::uint64_t()>;

/// Move of the pre-activations of one step of one row.
enum class Aim {
  AtTargets,   ///< each to a target of its function (boundary_value.hpp), or a little beside it
  Bare,        ///< the same with rows of W and R that are zero: the argument is the bias, exactly
  Cancelling,  ///< each to nearly 0, as a difference of terms a thousand times as large
  Sweeping,    ///< each anywhere from -12 to 12
  FirstStep,   ///< as AtTargets, in the first step, which the initial states alone lead to
};

/// The case with biases of its own, which bring the gates' arguments in some row, step and direction to where `aim`
/// wants them, as far as `outcome`, of the case as it is, tells what the states were. Nothing where that cannot be:
/// DynamicQuantizeLSTM, no steps, no Y, literals that would not fit in a case line.
std::optional<Case> aimed(const Case& c, const Outcome& outcome, Aim aim, const Words& words);

/// DynamicQuantizeLSTM: the case with an X whose elements lie on ties of its quantiser, or one ULP beside them.
std::optional<Case> on_ties(const Case& c, const Words& words);

/// The case with one bias, of those that it has, changed by a share of itself.
std::optional<Case> nudged(const Case& c, const Words& words);

}  // namespace cellproof::fuzz
