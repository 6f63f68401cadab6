#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {

/// So few rows are not worth a second thread to most engines: those of the problem are repeated up to this many.
constexpr std::int64_t rows_worth_sharing = 64;

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

}  // namespace cellproof::fuzz::law
