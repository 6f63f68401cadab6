#include "optimized/cpu/schedule.hpp"

#include <algorithm>

#include "optimized/cpu/product.hpp"

namespace cellproof::cpu {
namespace {

constexpr std::size_t ahead_bytes = std::size_t{1} << 19;
/// Weights of a direction that a core's own cache holds beside everything else.
constexpr std::size_t weights_in_cache = std::size_t{1} << 20;
/// For each so many rows a thread comes by so many weights in time, though every one of them reads all.
constexpr std::size_t rows_of_a_thread = 6;
constexpr std::size_t weights_of_each_thread = 3 * weights_in_cache;
/// R of a direction that one core reads in each step of few rows: of more, two cores hold a half each.
constexpr std::size_t step_in_cache = std::size_t{2} << 20;

/// So many rows share a walk over a panel's weights; their products wait in the scratch for the cell.
constexpr std::size_t rows_at_once = 64;

constexpr std::size_t rows_of_a_tile = 16;

/// Below this many multiplications, waiting for another thread costs more than it takes over.
constexpr std::size_t worth_a_thread = 100'000;
constexpr std::size_t worth_a_meeting = 60'000;

/// So few times a weight that comes with the run is multiplied without being packed; more where no cache holds both.
constexpr std::size_t few_products = 3, few_products_of_large = 6;

std::size_t threads_worth_starting(const Node& node, const Schedule& schedule, std::size_t team) {
  const auto& [T, N, I, H, D] = node.size;
  const std::size_t of_a_step = N * node.gates() * H * H;
  const std::size_t all = D * T * N * node.gates() * H * (I + H);
  if (team == 1 || all < worth_a_thread) return 1;
  if (schedule.one_direction_each) return 2;
  if (schedule.by_units) return of_a_step < worth_a_meeting ? 1 : team;
  return std::min(team, N / 2);
}

}  // namespace

std::size_t rows_ahead(std::size_t bytes_of_row) {
  return bytes_of_row == 0 ? 0 : ahead_bytes / bytes_of_row;
}

std::size_t steps_ahead(const Node& node, std::size_t rows, bool by_units) {
  const auto& [T, N, I, H, D] = node.size;
  if (N == 0 || H == 0) return 0;
  const std::size_t steps = std::min(rows / N, std::max<std::size_t>(T, 1));
  return by_units ? std::max<std::size_t>(steps, 1) : steps > 1 ? steps : 0;
}

namespace {

/// wanted_rows: that a thread had better have in a step, or share the units of all.
Schedule schedule_with(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team,
                       std::size_t wanted_rows) {
  const auto& [T, N, I, H, D] = node.size;
  Schedule schedule;
  schedule.few = N < few_rows;
  schedule.one_direction_each = D == 2 && team == 2 && !(schedule.few && columns * H * element_size > step_in_cache);
  const bool large = columns * (I + H) * element_size > weights_in_cache;
  const bool has_all_weights = columns * (I + H) * element_size <= N / team / rows_of_a_thread * weights_of_each_thread;
  const bool shares_units = (large && !has_all_weights) || N / team < wanted_rows;
  schedule.by_units = schedule.few || (team > 1 && !schedule.one_direction_each && shares_units);
  schedule.threads = threads_worth_starting(node, schedule, team);
  // W is to be read once for many steps if threads share the units, or rows are few; else a tile wants rows enough.
  const std::size_t rows = schedule.by_units ? rows_ahead(columns * element_size) : rows_at_once;
  schedule.chunk = steps_ahead(node, rows, schedule.by_units);
  schedule.tile_rows = rows_at_once;
  schedule.uses_weights_once = T * N <= (large ? few_products_of_large : few_products);
  return schedule;
}

}  // namespace

Schedule schedule_of(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team) {
  return schedule_with(node, columns, element_size, team, 0);
}

Schedule schedule_for_tiles(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team) {
  Schedule schedule = schedule_with(node, columns, element_size, team, rows_of_a_tile);
  if (node.size.N >= rows_of_a_tile) schedule.chunk = 0;
  return schedule;
}

}  // namespace cellproof::cpu
