#include <optional>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/scaled.hpp"

namespace cellproof::fuzz::law {
namespace {

constexpr double factor = 4;
/// What such numbers become when they are multiplied or divided by the factor is normal: in half, and in float and all
/// that has its exponents.
constexpr double smallest_in_half = 0x1p-12, smallest = 0x1p-60;

void multiply(Tensor& tensor, double by) {
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, by * tensor.value(k));
}

}  // namespace

std::optional<Experiment> weights_rescaled(const Problem& problem) {
  const Node left(problem);
  const std::size_t weights = left.op() == Operator::DynamicQuantizeLSTM ? input::W_scale : input::W;
  const bool half = left.input(input::X).type() == ElementType::Float16;
  for (const std::size_t position : {input::X, weights}) {
    if (!is_within(left.input(position), half ? smallest_in_half : smallest)) return std::nullopt;
  }
  Node right(problem);
  multiply(right.mutable_input(input::X), factor);
  multiply(right.mutable_input(weights), 1 / factor);
  Experiment experiment;
  experiment.problems = {written(left.problem()), written(right.problem())};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 1, experiment);
  return experiment;
}

}  // namespace cellproof::fuzz::law
