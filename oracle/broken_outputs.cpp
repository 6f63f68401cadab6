#include "oracle/broken_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/value_type.hpp"

namespace cellproof::oracle {

std::optional<StructuralViolation> broken_outputs(const Problem& problem, const Outputs& outputs, const Frame& frame) {
  const ElementType type = value_type(problem);
  const auto names = output_names(problem.version.op);
  const auto violation = [](std::size_t position, ViolationKind kind, std::string message) {
    StructuralViolation v;
    v.kind = kind;
    v.output = position;
    v.message = std::move(message);
    return v;
  };
  for (std::size_t position = 0; position < names.size(); ++position) {
    const bool given = position < outputs.size() && outputs[position].has_value();
    if (problem.asks_for(position) && !given) {
      return violation(position, ViolationKind::Count,
                       fmt::format("{} was asked for and did not come", names[position]));
    }
    if (!given) continue;
    const Tensor& tensor = *outputs[position];
    const Shape shape = position == output::Y ? frame.y_shape() : frame.state_shape();
    if (tensor.type() != type) {
      return violation(
          position, ViolationKind::Type,
          fmt::format("{} is {}, expected {}", names[position], onnx_name(tensor.type()), onnx_name(type)));
    }
    if (tensor.shape() != shape) {
      return violation(
          position, ViolationKind::Shape,
          fmt::format("{} has shape {}, expected {}", names[position], to_string(tensor.shape()), to_string(shape)));
    }
  }
  for (std::size_t position = 0; position < outputs.size(); ++position) {
    if (outputs[position] && (position >= names.size() || !problem.asks_for(position))) {
      return violation(std::min(position, names.size() - 1), ViolationKind::Count,
                       fmt::format("an output came at position {} that was not asked for", position));
    }
  }
  return std::nullopt;
}

}  // namespace cellproof::oracle
