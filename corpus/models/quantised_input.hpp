#pragma once

#include <functional>
#include <optional>
#include <string>

namespace onnx {
class GraphProto;
}

namespace cellproof::corpus {

class GraphScope;

/// A tensor that comes out of a DequantizeLinear node, perhaps through nodes that only move elements.
struct QuantisedInput {
  /// The same without a rounding to codes; nullopt where the codes stand in the model, and nothing else does.
  std::optional<std::string> unquantised;
};

/// nullopt for a tensor that no DequantizeLinear node gives. Adds to `graph`, whose scope is `scope`, copies of the
/// nodes that move elements between QuantizeLinear and the tensor. `fresh_name` gives names for what they make.
std::optional<QuantisedInput> quantised_input(const std::string& name, const GraphScope& scope, onnx::GraphProto& graph,
                                              const std::function<std::string()>& fresh_name);

}  // namespace cellproof::corpus
