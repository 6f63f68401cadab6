#pragma once

#include "optimized/cuda/recurrence.hpp"

namespace cellproof::cuda {

/// DynamicQuantizeLSTM: an LSTM cell in float whose two products are of bytes.
class QuantizedRecurrence : public RecurrenceOf<float> {
 public:
  QuantizedRecurrence(const Node& node, Backend& backend, const Setting& setting);

 protected:
  void pack() override;
  void compute() override;
  Index launches() const override;

 private:
  /// The weights of a direction that are multiplied with rows of `depth` numbers.
  struct Weights {
    Weights(Backend& backend, Index depth_, Index columns);
    QuantizedWeights view() const { return {words.data(), scale.data(), zero_point.data(), excess.data()}; }
    Index depth;
    Memory<std::int32_t> words, zero_point;
    Memory<float> scale;
    Memory<std::int64_t> excess;
  };
  /// Rows as bytes.
  struct Bytes {
    Bytes(Backend& backend, Index rows, Index width);
    Memory<std::int32_t> words;
    Memory<std::int64_t> sums;
    Memory<Quantization> quantization;
  };

  void pack_weights(const Weights& weights, Index direction, std::size_t input, std::size_t scale);
  void quantize_and_multiply(const Bytes& bytes, const Quantization* quantization, const float* values, const Index* at,
                             Index rows, const Weights& weights, float* out);
  void take_step(const Walk<float>& walk, Index direction, Index step);

  std::vector<Weights> w_, r_;                  ///< by direction, as are the next three
  std::vector<Bytes> x_, h_;                    ///< all of X is quantised alike: as the first of x_ says
  std::vector<Memory<RangePart>> ranges_of_h_;  ///< by rank
  Memory<RangePart> ranges_of_x_;               ///< by piece
};

}  // namespace cellproof::cuda
