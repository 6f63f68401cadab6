#include "lab/bench/some_sequences.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cellproof::lab::bench {
namespace {

/// The part [first, first + count) of one dimension.
Tensor part_of(const Tensor& whole, std::size_t axis, std::int64_t first, std::int64_t count) {
  Shape shape = whole.shape();
  if (axis >= shape.size()) throw std::invalid_argument("a tensor without a batch dimension");
  const std::int64_t all = std::exchange(shape[axis], count);
  std::size_t inner = size_of(whole.type()), outer = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i != axis) (i < axis ? outer : inner) *= static_cast<std::size_t>(shape[i]);
  Tensor part(whole.type(), shape);
  for (std::size_t row = 0; row < outer; ++row) {
    const auto from =
        whole.bytes().subspan((row * static_cast<std::size_t>(all) + static_cast<std::size_t>(first)) * inner,
                              static_cast<std::size_t>(count) * inner);
    std::ranges::copy(from, part.bytes().subspan(row * static_cast<std::size_t>(count) * inner).begin());
  }
  return part;
}

bool is_batch_first(const Problem& problem) {
  return problem.attributes.layout.value_or(0) != 0;
}

}  // namespace

Problem some_sequences(const Problem& problem, std::int64_t first, std::int64_t count) {
  if (is_quantised(problem.version.op))
    throw std::invalid_argument("the sequences of DynamicQuantizeLSTM are quantised together");
  Problem part = problem;
  for (const std::size_t position : {input::X, input::sequence_lens, input::initial_h, input::initial_c}) {
    const Tensor* whole = problem.input(position);
    if (whole == nullptr) continue;
    const bool outermost = position == input::sequence_lens || is_batch_first(problem);
    part.inputs[position].tensor = part_of(*whole, outermost ? 0 : 1, first, count);
  }
  return part;
}

Outputs outputs_of_some_sequences(const Problem& problem, const Outputs& outputs, std::int64_t first,
                                  std::int64_t count) {
  Outputs parts(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i]) continue;
    const std::size_t axis = is_batch_first(problem) ? 0 : i == output::Y ? 2 : 1;
    parts[i] = part_of(*outputs[i], axis, first, count);
  }
  return parts;
}

}  // namespace cellproof::lab::bench
