#pragma once

#include <cstddef>
#include <cstdint>

namespace cellproof::cpu {

/// Rows and the panel of packed weights that they are multiplied with, both in groups of four bytes. A panel is in
/// pieces of vectors, one after another, each [k][vector][16 lanes].
template <class Row>
struct TileFactors {
  const Row* const* rows;
  std::size_t offset;  ///< elements to add to each row
  const void* panel;
  std::size_t length;  ///< groups
};

/// out[row][vector][lane] = start[row][vector][lane], or zero, plus the sum of what the factors' products are, one pair
/// of factors after the other.
template <class Row>
struct TileProduct {
  static constexpr std::size_t most_terms = 4;

  TileFactors<Row> terms[most_terms];
  std::size_t term_count;
  std::size_t row_count;  ///< at least 1
  std::size_t vectors;    ///< of each panel
  std::size_t piece;      ///< vectors of every piece but the last, which has what is left
  const void* start;      ///< nullptr: zero
  std::size_t start_stride;
  void* out;
  std::size_t out_stride;  ///< groups between rows
};

/// Row is float: groups are pairs of bfloat16, multiplied by AMX_BF16. Sums are floats, rounded in an order that
/// depends on `length` and `parts` alone; subnormal factors, products and sums are taken for zero. Row is std::uint8_t:
/// groups are four unsigned bytes of a row and four signed ones of weights, multiplied by AMX_INT8. Sums are exact
/// integers.
template <class Row>
void multiply_in_tiles(const TileProduct<Row>&);

/// Gives the thread's tile registers back. Products keep them, and their shapes, for those that come next: it must be
/// called before other code of the thread may use tiles.
void release_tiles();

/// Asks the processor for AMX_TILE, AMX_BF16 and AMX_INT8, and the kernel for leave to use their registers. Returns ""
/// or what is missing.
const char* missing_for_tiles();

}  // namespace cellproof::cpu
