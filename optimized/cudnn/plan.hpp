#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimized/cudnn/context.hpp"
#include "optimized/cudnn/node.hpp"
#include "optimized/cudnn/rows.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {

inline std::size_t as_size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

/// Memory on the device that grows when more is asked of it, and is freed with its owner.
class Buffer {
 public:
  explicit Buffer(const cellproof_cudnn_context& context) : context_(context) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { context_.device->release(memory_); }
  /// At least so many bytes; what was there is lost where it grows. Throws Failure.
  std::byte* reserve(std::size_t bytes);
  std::byte* data() const { return memory_; }

 private:
  const cellproof_cudnn_context& context_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// cuDNN's descriptors, made and destroyed together.
struct Descriptors {
  /// Throws Failure.
  explicit Descriptors(const cellproof_cudnn_context& made_in);
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  ~Descriptors() { destroy(); }

  const cellproof_cudnn_context& context;
  RnnDescriptor rnn = nullptr;
  RnnDataDescriptor x = nullptr, y = nullptr;
  TensorDescriptor state = nullptr, matrix = nullptr, bias = nullptr;

 private:
  void destroy();
};

/// The flags that a layer must be described with. Padded input and output takes up to four times the workspace; only
/// batch-major rows and lengths below T need it.
std::uint32_t flags_of_layer(bool batch_first, std::span<const std::int32_t> lengths, std::int64_t T);

/// Asks cuDNN where each part of a layer's weights lies in their space, and puts that into the blocks. Throws Failure.
void place_weights(const Descriptors& descriptors, const Node& node, std::span<std::byte> space,
                   std::vector<WeightBlock>& blocks);

/// A node that cuDNN can express, ready to be run many times.
class Plan {
 public:
  /// Throws Failure.
  Plan(const cellproof_cudnn_context& context, const Node& node);
  /// As cellproof_cudnn_run. Throws Failure.
  void run(const void* const* inputs, void* const* outputs);

 private:
  /// Data of an input, and where it lies.
  struct Data {
    const void* data = nullptr;
    Copy to_device = Copy::ToDevice;
  };
  /// Rows to be moved on the device: a part of moves_.
  struct Moves {
    std::size_t first = 0, count = 0;
  };

  std::size_t element() const { return size_of(node_.type); }
  std::size_t bytes_of_x() const;
  std::size_t bytes_of_y() const;
  std::size_t bytes_of_state() const;
  std::size_t bytes_of(std::size_t output) const { return output == CELLPROOF_Y ? bytes_of_y() : bytes_of_state(); }
  bool is_on_host() const { return context_.options.memory == CELLPROOF_CUDNN_MEMORY_HOST; }
  bool has_cell() const { return node_.has_cell(); }
  bool runs_cudnn() const;

  void describe_layer(std::uint32_t flags);
  void take_places();
  void keep_constants();
  Data data_of(std::size_t input, const void* const* inputs) const;
  void check_pointers(const void* const* inputs, void* const* outputs) const;
  void take_lengths(const void* const* inputs);
  void describe_lengths();
  void pack_weights(const void* const* inputs);
  const std::byte* on_device(std::size_t input, const void* const* inputs);
  const std::byte* state_for_cudnn(const std::byte* given, Buffer& into);
  void move(std::byte* to, const std::byte* from, std::int64_t row, const Moves& moves);
  void finish_state(std::byte* to, const std::byte* from, const std::byte* initial);
  /// Memory on the device for each output, in ONNX's layout.
  using Results = std::array<std::byte*, CELLPROOF_OUTPUTS>;
  Results results_for(void* const* outputs);
  void run_layer(const void* const* inputs, const std::byte* initial_h, const std::byte* initial_c,
                 const Results& results);
  /// The outputs where no sequence has a step.
  void run_without_steps(const std::byte* initial_h, const std::byte* initial_c, const Results& results);
  void copy_to_host(const Results& results, void* const* outputs);

  const cellproof_cudnn_context& context_;
  Node node_;
  Rows rows_;
  std::vector<WeightBlock> blocks_;  ///< where cuDNN says that they lie
  Descriptors descriptors_;
  bool weights_are_packed_ = false;
  std::array<std::vector<std::byte>, layer_inputs> constants_;  ///< on the host, where the node had data
  std::array<bool, layer_inputs> is_constant_{};
  std::vector<std::int32_t> lengths_;  ///< that the descriptors and moves are made for
  bool lengths_are_described_ = false;
  Moves flip_x_, finish_y_, states_in_, states_out_, states_kept_;
  std::vector<RowMove> host_moves_;
  std::size_t weight_bytes_ = 0, workspace_bytes_ = 0;
  std::uint32_t flags_ = 0;  ///< that the layer is described with
  Buffer weights_, workspace_, moves_;
  std::array<Buffer, layer_inputs> inputs_;        ///< of X and the states, where they come from the host
  std::array<Buffer, CELLPROOF_OUTPUTS> outputs_;  ///< in ONNX's layout, where no memory of the device is given
  Buffer x_, h_, c_, y_, h_out_, c_out_;           ///< in cuDNN's layout, where that is another one
};

}  // namespace cellproof::cudnn
