#pragma once

#include <cstddef>

#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// Division of the work of LSTM, GRU or RNN. All but `threads` and `by_units` depends on the node alone, so that sums
/// are rounded alike not on the number of threads.
struct Schedule {
  bool few = false;                 ///< rows: see few_rows
  bool by_units = false;            ///< threads share the hidden units, not the rows
  bool one_direction_each = false;  ///< the first two threads have one each of two directions
  std::size_t threads = 1;          ///< worth starting
  std::size_t chunk = 0;            ///< steps whose input product is computed ahead; 0: none is
  std::size_t tile_rows = 1;        ///< that share a walk over a panel's weights
  bool uses_weights_once = false;   ///< or so seldom that those which come with the run are not worth packing
};

/// columns: of all products of a direction; element_size: of packed weights. `team` threads are there.
Schedule schedule_of(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team);

/// The same for tile registers. Of steps that fill one, no product is computed ahead: X's and H's are one sum. Threads
/// share the units where each would have fewer rows than that.
Schedule schedule_for_tiles(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team);

using ScheduleOf = decltype(schedule_of);

/// Rows of products that the cache holds ahead of their steps.
std::size_t rows_ahead(std::size_t bytes_of_row);

/// Steps that have so many rows together, 0 where it is not worth it.
std::size_t steps_ahead(const Node& node, std::size_t rows, bool by_units);

/// Cuts `count` things into as few even pieces as hold at most `most`: body(first, how many).
template <class Body>
void in_even_pieces(std::size_t count, std::size_t most, Body body) {
  const std::size_t pieces = (count + most - 1) / most;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = count * i / pieces;
    body(begin, count * (i + 1) / pieces - begin);
  }
}

}  // namespace cellproof::cpu
