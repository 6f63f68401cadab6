#include "corpus/framework_layout.hpp"

#include <algorithm>
#include <utility>

namespace cellproof::corpus {
namespace {

Tensor with_shape(const Tensor& tensor, Shape shape) {
  return {tensor.type(), std::move(shape), {tensor.bytes().begin(), tensor.bytes().end()}};
}

/// The axes N and T change places, and the last is split into D and H.
Tensor y_of(const Tensor& seen, const Dimensions& d) {
  Tensor y(seen.type(), {d.T, d.D, d.N, d.H});
  const std::size_t size = size_of(seen.type()) * static_cast<std::size_t>(d.H);
  for (std::int64_t n = 0; n < d.N; ++n)
    for (std::int64_t t = 0; t < d.T; ++t)
      for (std::int64_t k = 0; k < d.D; ++k) {
        const auto from = static_cast<std::size_t>((n * d.T + t) * d.D + k) * size;
        const auto to = static_cast<std::size_t>((t * d.D + k) * d.N + n) * size;
        std::ranges::copy(seen.bytes().subspan(from, size), y.bytes().subspan(to, size).begin());
      }
  return y;
}

}  // namespace

Outputs from_framework_layout(const Problem& problem, Outputs outputs) {
  const Dimensions d = dimensions_of(problem);
  const bool batchwise = problem.attributes.layout.value_or(0) != 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    auto& seen = outputs[k];
    if (!seen) continue;
    if (k == output::Y && seen->shape() == Shape{d.N, d.T, d.D * d.H})
      seen = batchwise ? with_shape(*seen, {d.N, d.T, d.D, d.H}) : y_of(*seen, d);
    else if (k != output::Y && d.D == 1 && seen->shape() == Shape{d.N, d.H})
      seen = with_shape(*seen, batchwise ? Shape{d.N, 1, d.H} : Shape{1, d.N, d.H});
  }
  return outputs;
}

}  // namespace cellproof::corpus
