#include <utility>

#include "reference/rounded_outputs.hpp"
#include "reference/rounding.hpp"

namespace cellproof::reference {
namespace {

Tensor rounded(ElementType type, const Shape& shape, const std::vector<Mpfr50>& values) {
  Tensor tensor(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_value(i, round_once(values[i], float_format(type)));
  return tensor;
}

}  // namespace

Outputs rounded_outputs(const Problem& problem, const Trajectory<Mpfr50>& trajectory) {
  const ElementType type = problem.input(input::X)->type();
  Outputs outputs(problem.outputs.size());
  for (std::size_t position = 0; position < outputs.size(); ++position) {
    if (!problem.asks_for(position)) continue;
    switch (position) {
      case output::Y:
        outputs[position] = rounded(type, trajectory.Y_shape, trajectory.Y);
        break;
      case output::Y_h:
        outputs[position] = rounded(type, trajectory.state_shape, trajectory.Y_h);
        break;
      case output::Y_c:
        outputs[position] = rounded(type, trajectory.state_shape, trajectory.Y_c);
        break;
      default:
        break;
    }
  }
  return outputs;
}

Outputs run(const Problem& problem, const Readings& readings, std::int64_t sequences_together) {
  const MpfrThreadCaches caches;
  return rounded_outputs(problem, evaluate<Mpfr50>(problem, readings, sequences_together));
}

}  // namespace cellproof::reference
