#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/activation.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::reference {

/// Places in which clip acts besides the arguments of f and g (clause clip-scope): on h's argument, nowhere, or on the
/// stored C.
enum class ClipScope { GatesAndH, Gates, GatesAndCell };

/// Effect of input_forget on the two gates (clauses input-forget, input-forget-weights).
enum class Coupling { None, ForgetIsOneMinusInput, InputIsOneMinusForget };

/// Everything that attributes, versions and readings decide before a number is computed: defaults filled in, names
/// resolved, one value where the specification leaves a choice.
struct Settings {
  Dimensions size{};
  bool batchwise = false;             ///< layout 1: N comes before T in X and Y, and before D in the states
  std::vector<bool> reversed;         ///< by direction index
  std::vector<std::int64_t> lengths;  ///< by batch index, each in [0, T]
  std::vector<std::vector<Activation>> activations;  ///< [direction][f, g, h as far as the operator has them]
  std::optional<double> clip;
  ClipScope clip_scope = ClipScope::GatesAndH;
  Coupling coupling = Coupling::None;
  bool linear_before_reset = false;
  bool first_cell_without_product = false;  ///< clause absent-initial-c: no f (.) C in the first step
  bool padding_carries_state = false;       ///< clause padding-of-y: the last state instead of 0
  bool stateless_row_is_zero = false;       ///< Y_h and Y_c of a row without any step: 0 instead of the initial state
};

/// Throws std::invalid_argument under a reading that refuses this problem, and under one that gives it no value.
Settings settings_of(const Problem& problem, const Readings& readings);

}  // namespace cellproof::reference
