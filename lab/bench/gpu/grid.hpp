#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cellproof::lab::bench::gpu {

/// Kind of cell: GRU's two kinds differ in linear_before_reset. cuDNN has no GruBefore.
enum class Cell { Lstm, GruBefore, GruAfter, Rnn };
enum class Element { Float, Float16, BFloat16 };

/// One shape to measure: forward, all activations at their defaults, biases given, no initial state, Y and Y_h asked
/// for (and Y_c), as many inputs as hidden units. Ragged: lengths from 1 to T, half of all steps padding.
struct Row {
  Cell cell = Cell::Lstm;
  Element element = Element::Float;
  std::int64_t T = 1, N = 1, H = 128;
  bool ragged = false;

  /// "lstm-f32-T32-N16-H512", "gru-before-bf16-T512-N1-H128-ragged"
  std::string name() const;
  /// By batch index; all T where it is not ragged.
  std::vector<std::int32_t> lengths() const;
  friend bool operator==(const Row&, const Row&) = default;
};

/// Every combination of T = 1, 32, 512; N = 1, 16, 64, 256; H = 128, 256, 512, 1024, 2048; the four cells; the three
/// types; full, and ragged where T has room for it.
const std::vector<Row>& full_grid();

/// About seventy rows of it, in which each pair of two factors' values occurs about three times: three covering arrays.
/// The same on every machine.
const std::vector<Row>& pairwise_grid();

/// A row of the full grid. Throws std::invalid_argument (one clear line) where there is none of that name.
const Row& row_named(std::string_view name);

}  // namespace cellproof::lab::bench::gpu
