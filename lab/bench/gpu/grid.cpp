#include "lab/bench/gpu/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "fuzz/covering_array.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

constexpr std::array<const char*, 4> cell_names{"lstm", "gru-before", "gru-after", "rnn"};
constexpr std::array<const char*, 3> element_names{"f32", "f16", "bf16"};
constexpr std::array<std::int64_t, 3> steps{1, 32, 512};
constexpr std::array<std::int64_t, 4> batches{1, 16, 64, 256};
constexpr std::array<std::int64_t, 5> hidden_sizes{128, 256, 512, 1024, 2048};

enum Factor : std::size_t { of_cell, of_element, of_steps, of_batch, of_hidden, of_lengths };
const std::vector<std::size_t> levels{cell_names.size(), element_names.size(), steps.size(),
                                      batches.size(),    hidden_sizes.size(),  2};

/// A single step leaves no room for shorter sequences.
bool exists(const fuzz::Row& values) {
  return values[of_lengths] == 0 || steps.at(values[of_steps]) > 1;
}

Row row_of(const fuzz::Row& values) {
  return {static_cast<Cell>(values[of_cell]), static_cast<Element>(values[of_element]), steps.at(values[of_steps]),
          batches.at(values[of_batch]),       hidden_sizes.at(values[of_hidden]),       values[of_lengths] == 1};
}

std::vector<Row> make_full_grid() {
  std::vector<Row> rows;
  fuzz::Row values(levels.size(), 0);
  for (bool more = true; more;) {
    if (exists(values)) rows.push_back(row_of(values));
    std::size_t factor = levels.size();
    do {
      more = factor > 0;
      if (!more) break;
      --factor;
      values[factor] = (values[factor] + 1) % levels[factor];
    } while (values[factor] == 0);
  }
  return rows;
}

std::vector<Row> make_pairwise_grid() {
  const fuzz::FactorModel model{
      .levels = levels, .exclusions = {{{of_steps, fuzz::ValueSet{1}}, {of_lengths, fuzz::ValueSet{2}}}}, .limits = {}};
  std::vector<Row> rows;
  for (const std::uint64_t seed : {1U, 2U, 3U})
    for (const fuzz::Row& values : fuzz::covering_array(model, {.strength = 2, .seed = seed}))
      if (const Row row = row_of(values); std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
  return rows;
}

}  // namespace

std::string Row::name() const {
  return fmt::format("{}-{}-T{}-N{}-H{}{}", cell_names.at(static_cast<std::size_t>(cell)),
                     element_names.at(static_cast<std::size_t>(element)), T, N, H, ragged ? "-ragged" : "");
}

std::vector<std::int32_t> Row::lengths() const {
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(N), static_cast<std::int32_t>(T));
  if (!ragged) return lengths;
  // In no order: 7 has no factor in common with a batch of the grid. A single sequence is half as long.
  for (std::int64_t n = 0; n < N; ++n)
    lengths[static_cast<std::size_t>(n)] =
        static_cast<std::int32_t>(N == 1 ? (T + 1) / 2 : 1 + n * 7 % N * (T - 1) / (N - 1));
  return lengths;
}

const std::vector<Row>& full_grid() {
  static const std::vector<Row> rows = make_full_grid();
  return rows;
}

const std::vector<Row>& pairwise_grid() {
  static const std::vector<Row> rows = make_pairwise_grid();
  return rows;
}

const Row& row_named(std::string_view name) {
  for (const Row& row : full_grid())
    if (row.name() == name) return row;
  throw std::invalid_argument(fmt::format("there is no row '{}': expected one such as {}, {}", name,
                                          full_grid().front().name(), full_grid().back().name()));
}

}  // namespace cellproof::lab::bench::gpu
