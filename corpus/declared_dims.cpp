#include "corpus/declared_dims.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>

#include "corpus/model.hpp"

namespace cellproof::corpus {
namespace {

enum class Size { Steps, Batch, Other };
using Sizes = std::vector<Size>;

/// By rank: a tensor of another rank than the specification's has no steps and no batch.
Sizes sizes_of(const Problem& problem, bool is_output, std::size_t position, std::size_t rank) {
  constexpr Size T = Size::Steps, N = Size::Batch, other = Size::Other;
  const bool batch_first = !is_quantised(problem.version.op) && problem.attributes.layout.value_or(0) != 0;
  const bool is_state = is_output ? position > output::Y : position == input::initial_h || position == input::initial_c;
  Sizes sizes(rank, other);
  Sizes formal;
  if (is_output && position == output::Y) formal = batch_first ? Sizes{N, T, other, other} : Sizes{T, other, N, other};
  if (!is_output && position == input::X) formal = batch_first ? Sizes{N, T, other} : Sizes{T, N, other};
  if (!is_output && position == input::sequence_lens) formal = {N};
  if (is_state) formal = batch_first ? Sizes{N, other, other} : Sizes{other, N, other};
  return formal.size() == rank ? formal : sizes;
}

bool is_x(const DeclaredPlace& place) {
  return !place.is_output && place.position == input::X;
}

bool is_symbol(Dims dims, Size size, const DeclaredPlace& place) {
  switch (dims) {
    case Dims::Steps:
      return size == Size::Steps;
    case Dims::Batch:
      return size == Size::Batch;
    case Dims::StepsAndBatch:
      return size != Size::Other;
    case Dims::StepsAndBatchOfX:
      return size != Size::Other && is_x(place);
    case Dims::All:
      return true;
    case Dims::Static:
    case Dims::Unranked:
      break;
  }
  return false;
}

/// Sizes of which some tensor has a symbol.
struct Seen {
  bool steps = false, batch = false, other = false;

  void add(Size size) {
    steps = steps || size == Size::Steps;
    batch = batch || size == Size::Batch;
    other = other || size == Size::Other;
  }
  bool any() const { return steps || batch || other; }
};

/// Symbols of X, and of all else that could have some.
struct Declarations {
  Seen x, others;
  bool others_have_sizes = false, unranked = false;

  void add(const Problem& problem, const DeclaredPlace& place, const std::vector<bool>& symbols) {
    const Sizes sizes = sizes_of(problem, place.is_output, place.position, symbols.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (!is_x(place)) others_have_sizes = others_have_sizes || sizes[k] != Size::Other;
      if (symbols[k]) (is_x(place) ? x : others).add(sizes[k]);
    }
  }
};

Declarations declarations_of(const onnx::GraphProto& graph, const ModelNode& node) {
  Declarations found;
  for (std::size_t k = 0; k < node.graph_inputs.size(); ++k) {
    std::vector<bool> symbols;
    for (const auto& size : node.declared_inputs[k].shape.value_or(std::vector<std::optional<std::int64_t>>{}))
      symbols.push_back(!size);
    found.add(node.problem, {false, node.input_positions[k], node.graph_inputs[k]}, symbols);
  }
  for (std::size_t k = 0; k < node.output_positions.size(); ++k) {
    const auto& tensor = graph.output(static_cast<int>(k)).type().tensor_type();
    found.unranked = found.unranked || !tensor.has_shape();
    std::vector<bool> symbols;
    for (const auto& dim : tensor.shape().dim()) symbols.push_back(dim.has_dim_param());
    found.add(node.problem, {true, node.output_positions[k], node.graph_outputs[k]}, symbols);
  }
  return found;
}

}  // namespace

std::vector<std::string> symbols_of(const Problem& problem, const DeclaredPlace& place, std::size_t rank) {
  std::vector<std::string> symbols;
  if (problem.presentation.dims == Dims::Static) return std::vector<std::string>(rank);
  for (const Size size : sizes_of(problem, place.is_output, place.position, rank)) {
    const std::string other = fmt::format("{}_{}", place.name, symbols.size());
    const std::string symbol = size == Size::Steps ? "T" : size == Size::Batch ? "N" : other;
    symbols.push_back(is_symbol(problem.presentation.dims, size, place) ? symbol : "");
  }
  return symbols;
}

Dims dims_of(const onnx::GraphProto& graph, const ModelNode& node) {
  const Declarations found = declarations_of(graph, node);
  const bool steps = found.x.steps || found.others.steps, batch = found.x.batch || found.others.batch;
  if (found.unranked) return Dims::Unranked;
  if (found.x.other || found.others.other) return Dims::All;
  if (found.x.steps && found.x.batch && !found.others.any() && found.others_have_sizes) return Dims::StepsAndBatchOfX;
  if (steps && batch) return Dims::StepsAndBatch;
  if (steps) return Dims::Steps;
  return batch ? Dims::Batch : Dims::Static;
}

}  // namespace cellproof::corpus
