#include "oracle/observed.hpp"

#include <utility>

#include "oracle/values_of.hpp"

namespace cellproof::oracle {
namespace {

std::vector<double> values_or_nothing(const Tensor* tensor) {
  return tensor ? values_of(*tensor) : std::vector<double>{};
}

}  // namespace

Observed::Observed(const Problem& asked, const Outputs& answered, std::vector<double> radius)
    : problem(asked),
      outputs(answered),
      layout(layout_of(asked)),
      broken(broken_outputs(asked, answered, layout)),
      X_radius(std::move(radius)) {
  X = values_or_nothing(problem.input(input::X));
  initial_h = values_or_nothing(problem.input(input::initial_h));
  if (has_cell_state(problem.version.op)) initial_c = values_or_nothing(problem.input(input::initial_c));
  if (broken) return;
  const auto given = [&](std::size_t position) -> std::optional<std::vector<double>> {
    if (position >= outputs.size() || !outputs[position]) return std::nullopt;
    return values_of(*outputs[position]);
  };
  Y = given(output::Y);
  Y_h = given(output::Y_h);
  Y_c = given(output::Y_c);
}

}  // namespace cellproof::oracle
