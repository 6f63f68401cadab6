#pragma once

#include <array>
#include <cstddef>

#include "optimized/node/activation.hpp"
#include "optimized/node/cellproof_node.h"

namespace cellproof::node {

/// By direction: f, g, h, as many as the operator has.
using Activations = std::array<std::array<Activation, 3>, 2>;

/// Counts the functions of one direction: LSTM f, g, h; GRU f, g; RNN f.
std::size_t activations_per_direction(cellproof_operator op);

/// Resolves the functions of every place with their parameters: names in any case, values consumed in the order of the
/// functions that take one, from the forward direction into the reverse one; where none is left, the default. Throws
/// Invalid for an unknown name or a wrong number of names.
Activations resolve_activations(const cellproof_node& node, std::size_t directions);

}  // namespace cellproof::node
