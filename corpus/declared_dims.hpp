#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/presentation.hpp"
#include "spec/problem.hpp"

namespace onnx {
class GraphProto;
}

namespace cellproof::corpus {

struct ModelNode;

/// A graph input or output, by the input or output of the node that it is.
struct DeclaredPlace {
  bool is_output = false;
  std::size_t position = 0;
  std::string name;
};

/// Names of the symbols that a declaration has by the problem's presentation, one for each dimension; "" where it has
/// the number.
std::vector<std::string> symbols_of(const Problem& problem, const DeclaredPlace& place, std::size_t rank);

/// The presentation by which a graph declares its inputs and outputs, or the nearest. Symbols and sizes that nothing is
/// said of count alike in inputs; in outputs, whose sizes every runtime infers, only symbols do.
Dims dims_of(const onnx::GraphProto& graph, const ModelNode& node);

}  // namespace cellproof::corpus
