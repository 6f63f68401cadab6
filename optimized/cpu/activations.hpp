#pragma once

#include <array>
#include <cstddef>

#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// How many functions a direction of the operator has: LSTM f, g, h; GRU f, g; RNN f.
std::size_t activations_per_direction(cellproof_cpu_operator op);

/// The functions of every place, with their parameters: names in any case, values consumed in the order of the
/// functions that take one, from the forward direction into the reverse one; where none is left, the default. Throws
/// Invalid for an unknown name or a wrong number of names.
std::array<std::array<Activation, 3>, 2> resolve_activations(const cellproof_cpu_node& node, std::size_t directions);

}  // namespace cellproof::cpu
