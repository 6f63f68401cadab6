#pragma once

#include <type_traits>

#include "optimized/cuda/elements.hpp"

namespace cellproof::cuda {

/// Type that a persistent kernel computes in where R is stored so.
template <Storage storage>
using RealOf = std::conditional_t<storage == Storage::Double, double, float>;

/// Keeps a row of R on the chip for a persistent kernel: as it is stored. Of 16 bits two terms share a word, k and
/// k + lanes, so that a lane reads both of its terms at once and takes them in the order of single ones.
template <Storage storage>
struct Kept {
  static constexpr bool is_paired = storage == Storage::Float16 || storage == Storage::BFloat16;
  static constexpr int terms = is_paired ? 2 : 1;  ///< of a word
  static constexpr Index span = terms * lanes;     ///< terms that a warp reads at once
  using Real = RealOf<storage>;
  using Element = std::conditional_t<is_paired, std::uint16_t, Real>;
  using Word = std::conditional_t<is_paired, std::uint32_t, Real>;

  CELLPROOF_HD static Index words_of_row(Index H) { return is_paired ? (H + span - 1) / span * lanes : H; }
  /// The word that begins with term k, and the term that a word begins with.
  CELLPROOF_HD static Index word_of(Index k) { return is_paired ? k / span * lanes + k % span : k; }
  CELLPROOF_HD static Index term_of(Index word) { return is_paired ? word / lanes * span + word % lanes : word; }

  /// A word of a row of H terms; zeros where there are no more.
  CELLPROOF_HD static Word word(const Element* row, Index H, Index at) {
    const Index k = term_of(at);
    if constexpr (is_paired) {
      const Word low = k < H ? row[k] : 0, high = k + lanes < H ? row[k + lanes] : 0;
      return low | high << 16;
    } else {
      return row[k];
    }
  }
  /// A term of a word, widened.
  CELLPROOF_HD static Real term(Word word, int which) {
    if constexpr (is_paired) {
      const auto stored = static_cast<std::uint16_t>(which == 0 ? word : word >> 16);
      return storage == Storage::Float16 ? widened_half(stored) : widened_bfloat(stored);
    } else {
      return word;
    }
  }
};

}  // namespace cellproof::cuda
