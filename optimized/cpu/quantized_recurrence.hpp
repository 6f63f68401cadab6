#pragma once

#include <vector>

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/plan.hpp"
#include "optimized/cpu/quantized_kernels.hpp"
#include "optimized/cpu/quantized_weights.hpp"
#include "optimized/cpu/sequences.hpp"
#include "optimized/cpu/team.hpp"

namespace cellproof::cpu {

/// DynamicQuantizeLSTM: an LSTM cell in float whose two products are of bytes. X is quantised by its range over all
/// sequences and steps up to the longest length, padding included; H before each step by its range over all sequences,
/// where a finished one counts as ONNX Runtime's kernel counts it: as zero once Y holds its padding, else as its last
/// H.
class QuantizedRecurrence : public Executor {
 public:
  /// The two sets of kernels have the same lanes.
  QuantizedRecurrence(const Node& node, const Kernels<float>& kernels, const QuantizedKernels& quantized,
                      std::size_t threads);
  void pack_constants(const Arguments& constants) override;
  void run(const Arguments& arguments) override;

 private:
  /// The weights of a direction and its state by row.
  struct Direction {
    QuantizedWeights W, R;
    Buffer<float> bias, peepholes;
    Buffer<float> h[2], c;
    Buffer<float> inputs;  ///< [step of the chunk][row][column], computed ahead
  };
  /// Rows of floats as bytes, padded for the weights' kernels, and the sum of each.
  struct Bytes {
    Bytes(std::size_t rows, const QuantizedWeights& weights)
        : sums(rows), stride(weights.groups * weights.format->bytes_of_group()), format(*weights.format) {
      values = Buffer<std::uint8_t>(rows * stride);
    }
    const std::uint8_t* row(std::size_t i) const { return values.data() + i * stride; }
    Buffer<std::uint8_t> values;
    std::vector<RowSums> sums;
    std::size_t stride;
    const QuantizedFormat& format;
  };
  /// That 0 is in.
  struct Range {
    float low = 0, high = 0;
  };
  /// Memory of one thread.
  struct Scratch {
    Bytes x;  ///< of the chunk: [step][row]
    Bytes h;  ///< by row
    Buffer<float> recurrent, input;
    std::vector<const std::uint8_t*> rows;
    Range ranges[2];  ///< of this thread's part, for the others to read
  };
  /// Some rows and blocks.
  struct Tile {
    std::size_t row, rows, block, blocks;
  };
  /// A thread's share of a direction: of all hidden units of some rows, or the part'th of `parts` shares of the units
  /// of all rows.
  struct Share {
    std::size_t direction, row_begin, row_end, part, parts, thread;
    bool has_some_rows;  ///< the team's other threads have the other rows
  };

  void pack(const Arguments& arguments);
  Quantization x_quantization();
  Quantization quantization_of_ranges(std::size_t which, std::size_t threads) const;
  void walk(const Share& share);
  void load_state(const Share& share);
  void store_state(const Share& share);
  void quantize_row(const float* values, std::size_t count, const Quantization& quantization, Bytes& bytes,
                    std::size_t row) const;
  void quantize_x(const Share& share, std::size_t step);
  void multiply_x(const Share& share, const Tile& tile, float* out, std::size_t stride);
  void multiply_ahead(const Share& share, std::size_t step);
  float* ahead(const Share& share, std::size_t row, std::size_t block);
  Quantization h_quantization(const Share& share, std::size_t step);
  /// Without a bias, and not yet with a place for its results.
  QuantizedProduct product_of(Scratch& scratch, const QuantizedWeights& weights, const Tile& tile, const Bytes& bytes,
                              const Quantization& quantization) const;
  void compute(const Share& share, const Tile& tile, std::size_t step, const Quantization& of_h);
  void store_y(const Share& share, std::size_t step, std::size_t rows) const;

  const Node& node_;
  const Kernels<float>& kernels_;
  const QuantizedKernels& quantized_;
  Sequences sequences_;
  std::size_t blocks_;
  std::size_t state_stride_;
  bool is_ahead_;      ///< are there many steps in a chunk, whose input product is computed ahead?
  std::size_t chunk_;  ///< steps whose X is quantised together
  std::size_t tile_;   ///< rows
  bool by_rows_;       ///< threads share the rows, not the hidden units
  bool weights_are_packed_ = false;
  Arguments arguments_;
  Quantization of_x_;
  std::vector<Direction> directions_;
  Buffer<float> zeros_;           ///< as many as a row of products has columns
  std::vector<Scratch> scratch_;  ///< by thread
  Team team_;
};

}  // namespace cellproof::cpu
