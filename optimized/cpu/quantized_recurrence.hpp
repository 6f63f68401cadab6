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
  /// Rows of floats as bytes, padded for the kernels, and the sum of each.
  struct Bytes {
    Bytes(std::size_t rows, std::size_t stride_) : values(rows * stride_), sums(rows), stride(stride_) {}
    const std::uint8_t* row(std::size_t i) const { return values.data() + i * stride; }
    Buffer<std::uint8_t> values;
    std::vector<std::int32_t> sums;
    std::size_t stride;
  };
  /// Memory of one thread.
  struct Scratch {
    Bytes x;  ///< of the chunk: [step][row]
    Bytes h;  ///< by row
    Buffer<float> recurrent;
    std::vector<const std::uint8_t*> rows;
  };
  /// Some rows and blocks.
  struct Tile {
    std::size_t row, rows, block, blocks;
  };
  /// A thread's share of a direction: the part'th of `parts` shares of the hidden units.
  struct Share {
    std::size_t direction, part, parts, thread;
  };

  void pack(const Arguments& arguments);
  void walk(const Share& share);
  void load_state(std::size_t direction);
  void store_state(std::size_t direction);
  void quantize_row(const float* values, std::size_t count, const Quantization& quantization, Bytes& bytes,
                    std::size_t row) const;
  void multiply_ahead(const Share& share, std::size_t step);
  Quantization h_quantization(std::size_t direction, std::size_t step) const;
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
  std::size_t chunk_;  ///< steps whose input product is computed ahead
  std::size_t tile_;   ///< rows
  bool weights_are_packed_ = false;
  Arguments arguments_;
  Quantization of_x_;
  std::vector<Direction> directions_;
  Buffer<float> zeros_;           ///< as many as a row of products has columns
  std::vector<Scratch> scratch_;  ///< by thread
  Team team_;
};

}  // namespace cellproof::cpu
