#include "oracle/broken_outputs.hpp"

#include <algorithm>

#include "oracle/value_type.hpp"

namespace cellproof::oracle {

std::optional<StructuralViolation> broken_outputs(const Problem& problem, const Outputs& outputs,
                                                  const Layout& layout) {
  const ElementType type = value_type(problem);
  const auto names = output_names(problem.version.op);
  const auto violation = [](std::size_t position, ViolationKind kind, BrokenOutput broken) {
    StructuralViolation v;
    v.kind = kind;
    v.output = position;
    v.broken = std::move(broken);
    return v;
  };
  for (std::size_t position = 0; position < names.size(); ++position) {
    const bool given = position < outputs.size() && outputs[position].has_value();
    if (problem.asks_for(position) && !given) {
      return violation(position, ViolationKind::Count, {.kind = BrokenOutput::Kind::Missing, .position = position});
    }
    if (!given) continue;
    const Tensor& tensor = *outputs[position];
    const Shape shape = position == output::Y ? layout.y_shape() : layout.state_shape();
    if (tensor.type() != type) {
      return violation(
          position, ViolationKind::Type,
          {.kind = BrokenOutput::Kind::Type, .position = position, .type = tensor.type(), .expected_type = type});
    }
    if (tensor.shape() != shape) {
      return violation(
          position, ViolationKind::Shape,
          {.kind = BrokenOutput::Kind::Shape, .position = position, .shape = tensor.shape(), .expected_shape = shape});
    }
  }
  for (std::size_t position = 0; position < outputs.size(); ++position) {
    if (outputs[position] && (position >= names.size() || !problem.asks_for(position))) {
      return violation(std::min(position, names.size() - 1), ViolationKind::Count,
                       {.kind = BrokenOutput::Kind::NotAskedFor, .position = position});
    }
  }
  return std::nullopt;
}

}  // namespace cellproof::oracle
