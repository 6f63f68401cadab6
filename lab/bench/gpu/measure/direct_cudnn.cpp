#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "lab/bench/gpu/measure/our_cudnn.hpp"
#include "optimized/cudnn/context.hpp"
#include "optimized/cudnn/cudnn_api.hpp"
#include "optimized/cudnn/node.hpp"
#include "optimized/cudnn/plan.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

namespace dnn = cellproof::cudnn;

int data_type_of(Element element) {
  if (element == Element::Float16) return dnn::data::float16;
  return element == Element::BFloat16 ? dnn::data::bfloat16 : dnn::data::float32;
}

class DirectCudnn : public Subject {
 public:
  DirectCudnn(const RowData& data, CudnnWay way)
      : data_(data),
        context_(open_cudnn_for(data.row)),
        descriptors_(*context_),
        Y_(data.X.bytes()),
        states_(2 * data.X.bytes() / static_cast<std::size_t>(data.row.T)) {
    describe();
    pack(cudnn_node_of(data, way == CudnnWay::Nearest));
    if (way == CudnnWay::Recorded) record();
  }
  DirectCudnn(const DirectCudnn&) = delete;
  DirectCudnn& operator=(const DirectCudnn&) = delete;
  ~DirectCudnn() override {
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
  }

  std::string version() const override { return context_->description; }
  void* stream() const override { return context_->stream; }
  void issue() override {
    if (recorded_ == nullptr) return call();
    if (const cudaError_t error = cudaGraphLaunch(recorded_, on_stream()); error != cudaSuccess)
      throw std::runtime_error(std::string("cuDNN's recorded call is not launched: ") + cudaGetErrorString(error));
  }
  const DeviceMemory& Y() const override { return Y_; }

 private:
  cudaStream_t on_stream() const { return static_cast<cudaStream_t>(context_->stream); }

  /// Throws Unavailable where the call cannot be recorded.
  void record() {
    call();  // loads what a recording must find loaded
    cudaError_t error = cudaStreamSynchronize(on_stream());
    if (error == cudaSuccess) error = cudaStreamBeginCapture(on_stream(), cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
    std::string refusal;
    try {
      call();
    } catch (const std::exception& reason) {
      refusal = reason.what();
    }
    cudaGraph_t graph = nullptr;
    error = cudaStreamEndCapture(on_stream(), &graph);
    if (error == cudaSuccess && refusal.empty()) error = cudaGraphInstantiate(&recorded_, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaGetLastError();  // a refusal must not be met again by the next call
    if (!refusal.empty() || error != cudaSuccess)
      throw Unavailable("cuDNN's call cannot be recorded: " + (refusal.empty() ? cudaGetErrorString(error) : refusal));
  }

  void call() {
    auto* const states = static_cast<std::byte*>(states_.data());
    const bool lstm = data_.row.cell == Cell::Lstm;
    check_node(context_->api.cudnnRNNForward(context_->handle, descriptors_.rnn, dnn::inference, nullptr,
                                             descriptors_.x, data_.X.data(), descriptors_.y, Y_.data(),
                                             descriptors_.state, nullptr, states, lstm ? descriptors_.state : nullptr,
                                             nullptr, lstm ? states + states_.bytes() / 2 : nullptr, weights_->bytes(),
                                             weights_->data(), workspace_->bytes(), workspace_->data(), 0, nullptr),
               "cudnnRNNForward");
  }

  /// Throws Unavailable where cuDNN cannot compute the row, or has too little memory for it.
  template <class Check>
  static void translated(Check check) {
    try {
      check();
    } catch (const dnn::Failure& failure) {
      if (failure.status() == CELLPROOF_NOT_SUPPORTED || failure.status() == CELLPROOF_OUT_OF_MEMORY)
        throw Unavailable(failure.what());
      throw std::runtime_error(failure.what());
    }
  }
  void check(dnn::Status status, const char* call) const {
    translated([&] { context_->check(status, call); });
  }
  void check_node(dnn::Status status, const char* call) const {
    translated([&] { context_->check_node(status, call); });
  }

  void describe() {
    const auto& api = context_->api;
    const Row& row = data_.row;
    const int type = data_type_of(row.element);
    const int cell = row.cell == Cell::Lstm  ? dnn::cell::lstm
                     : row.cell == Cell::Rnn ? dnn::cell::tanh
                                             : dnn::cell::gru;
    const int math = row.element == Element::Float ? dnn::math::fma : dnn::math::tensor_op;
    const auto T = static_cast<int>(row.T), N = static_cast<int>(row.N), H = static_cast<int>(row.H);
    // As who calls cuDNN directly would: padded input and output only where a length needs it.
    const std::uint32_t flags = dnn::flags_of_layer(false, data_.lengths, T);
    check_node(api.cudnnSetRNNDescriptor_v8(descriptors_.rnn, dnn::algorithm::standard, cell, dnn::bias::both,
                                            dnn::direction::one, dnn::linear_input, type, dnn::data::float32, math, H,
                                            H, H, 1, nullptr, flags),
               "cudnnSetRNNDescriptor_v8");
    double zero = 0;
    for (dnn::RnnDataDescriptor one : {descriptors_.x, descriptors_.y})
      check_node(
          api.cudnnSetRNNDataDescriptor(one, type, dnn::layout::time_first, T, N, H, data_.lengths.data(), &zero),
          "cudnnSetRNNDataDescriptor");
    const int shape[] = {1, N, H}, strides[] = {N * H, H, 1};
    check(api.cudnnSetTensorNdDescriptor(descriptors_.state, type, 3, shape, strides), "cudnnSetTensorNdDescriptor");
    std::size_t weights = 0, workspace = 0, reserve = 0;
    check(api.cudnnGetRNNWeightSpaceSize(context_->handle, descriptors_.rnn, &weights), "cudnnGetRNNWeightSpaceSize");
    check_node(api.cudnnGetRNNTempSpaceSizes(context_->handle, descriptors_.rnn, dnn::inference, descriptors_.x,
                                             &workspace, &reserve),
               "cudnnGetRNNTempSpaceSizes");
    weights_ = std::make_unique<DeviceMemory>(weights);
    workspace_ = std::make_unique<DeviceMemory>(workspace == 0 ? 1 : workspace);
  }

  void pack(const cellproof_node& node) {
    const std::size_t element = data_.row.element == Element::Float ? 4 : 2;
    const dnn::Node checked = node::checked(node);
    std::vector<dnn::WeightBlock> blocks = dnn::weight_blocks(checked);
    translated([&] {
      dnn::place_weights(descriptors_, checked, {static_cast<std::byte*>(weights_->data()), weights_->bytes()}, blocks);
    });
    for (const dnn::WeightBlock& block : blocks) {
      const std::vector<std::byte>& from = block.input == CELLPROOF_W   ? data_.W
                                           : block.input == CELLPROOF_R ? data_.R
                                                                        : data_.B;
      weights_->upload(from.data() + static_cast<std::size_t>(block.from) * element,
                       static_cast<std::size_t>(block.count) * element, static_cast<std::size_t>(block.to) * element);
    }
  }

  const RowData& data_;
  CudnnContext context_;
  dnn::Descriptors descriptors_;
  std::unique_ptr<DeviceMemory> weights_, workspace_;
  DeviceMemory Y_, states_;
  cudaGraphExec_t recorded_ = nullptr;
};

}  // namespace

std::unique_ptr<Subject> make_direct_cudnn(const RowData& data, CudnnWay way) {
  try {
    return std::make_unique<DirectCudnn>(data, way);
  } catch (const dnn::Failure& failure) {
    throw std::runtime_error(failure.what());
  }
}

}  // namespace cellproof::lab::bench::gpu
