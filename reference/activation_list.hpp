#pragma once

#include <vector>

#include "reference/activation.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::reference {

/// The node's activation functions with their parameters, by direction and slot (LSTM: f, g, h; GRU: f, g; RNN: f).
/// Names are matched whatever their case (clause activation-name-case); how activation_alpha and activation_beta are
/// shared out is up to the readings (alpha-consumption, alpha-across-directions). Throws std::invalid_argument for an
/// unknown name, a wrong number of names, or where a reading refuses.
std::vector<std::vector<Activation>> resolve_activations(const Problem& problem, const Readings& readings);

}  // namespace cellproof::reference
