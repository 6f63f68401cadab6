#include "lab/bench/gpu/floor.hpp"

#include <algorithm>
#include <numeric>

namespace cellproof::lab::bench::gpu {
namespace {

double gates_of(Cell cell) {
  return cell == Cell::Lstm ? 4 : cell == Cell::Rnn ? 1 : 3;
}

double size_of(Element element) {
  return element == Element::Float ? 4 : 2;
}

double seconds_of_operations(const Work& work, const Row& row, const Rates& rates) {
  return work.operations / (row.element == Element::Float ? rates.operations : rates.operations_of_16);
}

}  // namespace

Work work_of(const Row& row) {
  const auto lengths = row.lengths();
  const double steps = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const auto H = static_cast<double>(row.H), N = static_cast<double>(row.N);
  const double I = H, G = gates_of(row.cell);
  const double after_the_first = steps - N;
  const double states = row.cell == Cell::Lstm ? 2 : 1;
  const double all_of_y = static_cast<double>(row.T) * N * H;  // padding of Y is written, that of X not read
  return {.operations = 2 * G * H * (steps * I + after_the_first * H),
          .bytes = size_of(row.element) * (steps * I + G * H * (I + H) + 2 * G * H + all_of_y + states * N * H)};
}

double floor_of(const Row& row, const Rates& rates) {
  const Work work = work_of(row);
  return std::max(seconds_of_operations(work, row, rates), work.bytes / rates.bytes);
}

std::string bound_of(const Row& row, const Rates& rates) {
  const Work work = work_of(row);
  return seconds_of_operations(work, row, rates) >= work.bytes / rates.bytes ? "operations" : "bytes";
}

}  // namespace cellproof::lab::bench::gpu
