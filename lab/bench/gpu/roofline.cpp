#include "lab/bench/gpu/roofline.hpp"

#include <algorithm>
#include <numeric>

namespace cellproof::lab::bench::gpu {
namespace {

// An H100: bytes a second from memory, L2 and all shared memories; operations a second, of which a product sustains
// six tenths.
constexpr double memory_rate = 3.0e12, l2_rate = 5.5e12, shared_rate = 29.6e12, l2_bytes = 40e6;
constexpr double float_rate = 59e12, tensor_rate = 600e12, sustained = 0.6;
constexpr double blocks = 132;

// Seconds that are no bytes and no operations.
constexpr double exchange_of_step = 1.6e-6;    ///< a round trip through L2, sums over a warp, two activations
constexpr double start_of_persistent = 25e-6;  ///< a graph, a cooperative launch, R into shared memory
constexpr double steps_of_ours = 7.4e-6;       ///< a product and the pass behind it, from a graph
constexpr double steps_of_cudnn = 4.5e-6;      ///< two launches
constexpr double call_of_ours = 5e-6, call_of_cudnn = 15e-6;  ///< as the host issues them

constexpr std::int64_t few_rows = 4;  ///< up to which a persistent kernel takes all steps

/// Sizes of a row, as numbers.
struct Sizes {
  double gates, size, rate, N, H, steps, all_steps;

  explicit Sizes(const Row& row)
      : gates(row.cell == Cell::Lstm  ? 4
              : row.cell == Cell::Rnn ? 1
                                      : 3),
        size(row.element == Element::Float ? 4 : 2),
        rate(row.element == Element::Float ? float_rate : tensor_rate),
        N(static_cast<double>(row.N)),
        H(static_cast<double>(row.H)) {
    const auto lengths = row.lengths();
    steps = *std::ranges::max_element(lengths);
    all_steps = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  }
  double bytes_of_r() const { return gates * H * H * size; }
  /// R from where it lies between the steps.
  double reading_r() const { return bytes_of_r() / (bytes_of_r() > l2_bytes ? memory_rate : l2_rate); }
  double operations_of_x() const { return 2 * gates * H * H * all_steps; }
  /// Operations of a step in the mean: sequences end one after the other.
  double operations_of_step() const { return 2 * gates * H * H * all_steps / steps; }
  double products_of_x() const { return operations_of_x() / (sustained * rate); }
  double product_of_step() const { return std::max(reading_r(), operations_of_step() / (sustained * rate)); }
};

double single_step(const Row& row, const Sizes& s) {
  const int launches = row.cell == Cell::GruBefore ? 2 : 1;
  return launches * call_of_ours + 2 * s.bytes_of_r() / (2 * s.bytes_of_r() > l2_bytes ? memory_rate : l2_rate);
}

/// R from shared memory, all arithmetic in float; every block reads every number of H, 8 bytes each.
double persistent(const Row& row, const Sizes& s) {
  const int phases = row.cell == Cell::GruBefore ? 2 : 1;
  const double gathered = phases * 8 * blocks * s.H * s.N / l2_rate;
  const double step =
      phases * exchange_of_step + gathered + s.bytes_of_r() / shared_rate + s.operations_of_step() / float_rate;
  return start_of_persistent + s.products_of_x() + s.steps * step;
}

double step_by_step(const Row& row, const Sizes& s) {
  double phases = 1, products = s.product_of_step();
  if (row.cell == Cell::GruBefore) {
    phases = 2;
    // The second product, a third of all, is made in three terms for 16 bits, for float16 in two parts each.
    const double times = row.element == Element::Float ? 1 : row.element == Element::BFloat16 ? 3 : 6;
    products *= (2 + times) / 3;
  }
  return call_of_ours + s.products_of_x() + s.steps * (phases * steps_of_ours + products);
}

}  // namespace

double design_seconds(const Row& row) {
  const Sizes s(row);
  if (row.N > few_rows) return step_by_step(row, s);
  return row.T == 1 ? single_step(row, s) : persistent(row, s);
}

double least_seconds_of_cudnn(const Row& row) {
  const Sizes s(row);
  // The first step may do without R if there is no initial state.
  const double steps = s.steps * steps_of_cudnn + (s.steps - 1) * s.product_of_step();
  return std::max(call_of_cudnn, s.products_of_x() + steps);
}

bool has_bar(const Row& row) {
  return row.cell == Cell::GruBefore ? row.N >= 64 : row.N <= few_rows && row.H <= 1024;
}

double bar_of_design(const Row& row) {
  return design_seconds(row) / least_seconds_of_cudnn(row);
}

}  // namespace cellproof::lab::bench::gpu
