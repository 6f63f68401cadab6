#include "lab/zoo/plain_outputs.hpp"

#include <cstdint>

#include "spec/operator.hpp"

namespace cellproof::lab::zoo {

PlainOutputs::PlainOutputs(const fuzz::ResolvedNode& node)
    : Y(node.T * node.directions.size() * node.N * node.H),
      Y_h(node.directions.size() * node.N * node.H),
      Y_c(Y_h.size()) {}

double* PlainOutputs::y(const fuzz::ResolvedNode& node, std::size_t t, std::size_t d, std::size_t n) {
  return Y.data() + ((t * node.directions.size() + d) * node.N + n) * node.H;
}
double* PlainOutputs::h(const fuzz::ResolvedNode& node, std::size_t d, std::size_t n) {
  return Y_h.data() + (d * node.N + n) * node.H;
}
double* PlainOutputs::c(const fuzz::ResolvedNode& node, std::size_t d, std::size_t n) {
  return Y_c.data() + (d * node.N + n) * node.H;
}

Outputs put_together(const Problem& problem, const fuzz::ResolvedNode& node, const PlainOutputs& outputs) {
  const std::size_t D = node.directions.size();
  const auto T = static_cast<std::int64_t>(node.T), N = static_cast<std::int64_t>(node.N);
  const auto H = static_cast<std::int64_t>(node.H), directions = static_cast<std::int64_t>(D);
  Outputs tensors(problem.outputs.size());
  if (problem.asks_for(output::Y)) {
    // [T][D][N][H] to [N][T][D][H] is a swap of (T, D) as one dimension with N.
    tensors[output::Y] = node.batch_first
                             ? Tensor::from_values(node.type, {N, T, directions, H},
                                                   fuzz::with_axes_swapped(outputs.Y, node.T * D, node.N, node.H))
                             : Tensor::from_values(node.type, {T, directions, N, H}, outputs.Y);
  }
  const auto state_tensor = [&](const std::vector<double>& values) {
    return node.batch_first
               ? Tensor::from_values(node.type, {N, directions, H}, fuzz::with_axes_swapped(values, D, node.N, node.H))
               : Tensor::from_values(node.type, {directions, N, H}, values);
  };
  if (problem.asks_for(output::Y_h)) tensors[output::Y_h] = state_tensor(outputs.Y_h);
  if (problem.asks_for(output::Y_c)) tensors[output::Y_c] = state_tensor(outputs.Y_c);
  return tensors;
}

}  // namespace cellproof::lab::zoo
