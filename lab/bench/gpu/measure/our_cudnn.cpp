#include "lab/bench/gpu/measure/our_cudnn.hpp"

#include <array>

namespace cellproof::lab::bench::gpu {
namespace {

cellproof_type cudnn_type_of(Element element) {
  if (element == Element::Float16) return CELLPROOF_FLOAT16;
  return element == Element::BFloat16 ? CELLPROOF_BFLOAT16 : CELLPROOF_FLOAT;
}

class OurCudnn : public Subject {
 public:
  explicit OurCudnn(const RowData& data)
      : context_(open_cudnn_for(data.row)),
        Y_(data.X.bytes()),
        states_(2 * data.X.bytes() / static_cast<std::size_t>(data.row.T)) {
    const cellproof_node node = cudnn_node_of(data, false);
    cellproof_cudnn_plan* made = nullptr;
    const auto status = cellproof_cudnn_prepare(context_.get(), &node, &made, message_.data(), message_.size());
    plan_.reset(made);
    if (status == CELLPROOF_NOT_SUPPORTED || status == CELLPROOF_OUT_OF_MEMORY) throw Unavailable(message_.data());
    if (status != CELLPROOF_OK) throw std::runtime_error(message_.data());
    inputs_[CELLPROOF_X] = data.X.data();
    auto* const states = static_cast<std::byte*>(states_.data());
    outputs_ = {Y_.data(), states, data.row.cell == Cell::Lstm ? states + states_.bytes() / 2 : nullptr};
  }

  std::string version() const override { return cellproof_cudnn_description(context_.get()); }
  void* stream() const override { return cellproof_cudnn_stream(context_.get()); }
  void issue() override {
    if (cellproof_cudnn_run(plan_.get(), inputs_.data(), outputs_.data(), message_.data(), message_.size()) !=
        CELLPROOF_OK)
      throw std::runtime_error(message_.data());
  }
  const DeviceMemory& Y() const override { return Y_; }

 private:
  struct Release {
    void operator()(cellproof_cudnn_plan* plan) const { cellproof_cudnn_release(plan); }
  };

  CudnnContext context_;
  DeviceMemory Y_, states_;
  std::array<const void*, CELLPROOF_INPUTS> inputs_{};
  std::array<void*, CELLPROOF_OUTPUTS> outputs_{};
  std::array<char, 1024> message_{};
  std::unique_ptr<cellproof_cudnn_plan, Release> plan_;
};

}  // namespace

CudnnContext open_cudnn_for(const Row& row) {
  const cellproof_cudnn_options options{
      row.element == Element::Float ? CELLPROOF_CUDNN_MATH_FMA : CELLPROOF_CUDNN_MATH_TENSOR_OP,
      CELLPROOF_CUDNN_MEMORY_DEVICE};
  std::array<char, 1024> message{};
  cellproof_cudnn_context* context = nullptr;
  const auto status = cellproof_cudnn_open(&options, &context, message.data(), message.size());
  if (status == CELLPROOF_UNAVAILABLE) throw Unavailable(message.data());
  if (status != CELLPROOF_OK) throw std::runtime_error(message.data());
  return CudnnContext(context);
}

cellproof_node cudnn_node_of(const RowData& data, bool nearest) {
  const auto [cell, element, T, N, H, ragged] = data.row;
  const auto type = cudnn_type_of(element);
  cellproof_node node{};
  node.op = cell == Cell::Lstm ? CELLPROOF_LSTM : cell == Cell::Rnn ? CELLPROOF_RNN : CELLPROOF_GRU;
  node.linear_before_reset = cell == Cell::GruAfter || nearest;
  node.inputs[CELLPROOF_X] = {type, 3, {T, N, H}, nullptr};
  node.inputs[CELLPROOF_W] = {type, 3, {1, data.gates * H, H}, data.W.data()};
  node.inputs[CELLPROOF_R] = {type, 3, {1, data.gates * H, H}, data.R.data()};
  node.inputs[CELLPROOF_B] = {type, 2, {1, 2 * data.gates * H}, data.B.data()};
  if (ragged) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, data.lengths.data()};
  return node;
}

std::unique_ptr<Subject> make_our_cudnn(const RowData& data) {
  return std::make_unique<OurCudnn>(data);
}

}  // namespace cellproof::lab::bench::gpu
