#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz {
namespace {

/// From version 7 on: the same node in the newest version.
std::optional<Experiment> opset_upgrade(const Problem& problem) {
  if (problem.version.since_version < 7 || is_newest(problem.version)) return std::nullopt;
  const Node left(problem);
  Node right(problem);
  right.problem().version = newest(problem.version.op);
  return compare(left, right);
}

/// Any problem; bit by bit.
std::optional<Experiment> repeated_run(const Problem& problem) {
  Experiment experiment;
  experiment.problems = {problem, problem};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 1, experiment);
  return experiment;
}

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

/// Any problem with a step and a row; bit by bit. In between: the same node with other numbers in X, and then with
/// another step and another row.
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

/// So few rows are not worth a second thread to most engines: those of the problem are repeated up to this many.
constexpr std::int64_t rows_worth_sharing = 64;

/// A step, a row and a unit, and an engine that can be told with how many threads to compute: one and three. The rows
/// are repeated, so that there is work to share.
std::optional<Experiment> thread_counts(const Problem& problem) {
  const Node one(problem);
  const auto [T, N, I, H, D] = one.sizes();
  if (T < 1 || N < 1 || H < 1) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n < std::max(N, rows_worth_sharing); ++n) rows.push_back(n % N);
  const Node many = with_rows(one, rows);
  Experiment experiment = compare(many, many);
  experiment.threads = {1, 3};
  experiment.bounded_by = written(one.problem());
  return experiment;
}

}  // namespace

std::span<const Law> calls_laws() {
  static const std::vector<Law> list = {
      {"opset-upgrade", "a newer version of the operator computes the same of what the older one has", opset_upgrade},
      {"repeated-run", "the same problem gives the same bits again", repeated_run, true},
      {"sequence-of-calls", "a problem gives the same bits after another one in between", sequence_of_calls, true},
      with_promised_bits({"thread-counts", "the results do not depend on the number of threads", thread_counts}),
  };
  return list;
}

}  // namespace cellproof::fuzz
