#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/models/whole_model.hpp"

namespace cellproof::campaign {

/// The distance that QuantizeLinear in front of a node puts between its outputs: those that the reference computes from
/// the dequantised inputs, and those from what these were before. It judges nothing.
struct QuantisationEffect {
  struct Output {
    std::string name;
    double most = 0;     ///< the largest difference of two elements
    double largest = 0;  ///< the largest element, without its sign
  };
  std::vector<std::string> inputs;  ///< taken as they were before: "X"
  std::vector<std::string> kept;    ///< those of which the model holds codes alone
  std::vector<Output> outputs;      ///< empty where no input is taken, and for a node too large for the reference
};

/// nullopt for a node none of whose inputs is dequantised, and for an invalid one.
std::optional<QuantisationEffect> quantisation_effect(const corpus::RecurrentNode& node, const corpus::NodeCall& call);

}  // namespace cellproof::campaign
