#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {
namespace {

/// With one step and one row more, which are there already.
Node grown(const Node& node) {
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n <= node.sizes().N; ++n) rows.push_back(n % node.sizes().N);
  const Node wider = with_rows(node, rows);
  const auto [T, N, I, H, D] = wider.sizes();
  Node longer = wider;
  longer.set(input::X, wider.tensor(wider.x_shape(T + 1, N, I)));
  for (std::int64_t t = 0; t <= T; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(wider.input(input::X), wider.x_at(t % T, n, i), longer.mutable_input(input::X),
                     longer.x_at(t, n, i));
    }
  }
  return longer;
}

}  // namespace

std::optional<Experiment> sequence_of_calls(const Problem& problem) {
  const Node node(problem);
  if (node.sizes().T < 1 || node.sizes().N < 1) return std::nullopt;
  Problem other = problem;
  Tensor& x = *other.inputs[input::X].tensor;
  for (std::size_t k = 0; k < x.size(); ++k) x.set_value(k, k % 2 == 0 ? 1 : -2);
  Experiment experiment;
  experiment.problems = {problem, std::move(other), problem, written(grown(node).problem()), problem};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 2, experiment);
  add_all_elements(problem, 0, 4, experiment);
  return experiment;
}

}  // namespace cellproof::fuzz::law
