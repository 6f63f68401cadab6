#include <array>

#include "lab/bench/gpu/measure/subject.hpp"
#include "optimized/cuda/cellproof_cuda.h"

namespace cellproof::lab::bench::gpu {
namespace {

cellproof_type cuda_type_of(Element element) {
  if (element == Element::Float16) return CELLPROOF_FLOAT16;
  return element == Element::BFloat16 ? CELLPROOF_BFLOAT16 : CELLPROOF_FLOAT;
}

class OurKernels : public Subject {
 public:
  OurKernels(const RowData& data, bool steps)
      : data_(data), Y_(data.X.bytes()), states_(2 * data.X.bytes() / static_cast<std::size_t>(data.row.T)) {
    const auto [cell, element, T, N, H, ragged] = data.row;
    const auto type = cuda_type_of(element);
    cellproof_node node{};
    node.op = cell == Cell::Lstm ? CELLPROOF_LSTM : cell == Cell::Rnn ? CELLPROOF_RNN : CELLPROOF_GRU;
    node.linear_before_reset = cell == Cell::GruAfter;
    node.inputs[CELLPROOF_X] = {type, 3, {T, N, H}, nullptr};
    node.inputs[CELLPROOF_W] = {type, 3, {1, data.gates * H, H}, data.W_there.data()};
    node.inputs[CELLPROOF_R] = {type, 3, {1, data.gates * H, H}, data.R_there.data()};
    node.inputs[CELLPROOF_B] = {type, 2, {1, 2 * data.gates * H}, data.B_there.data()};
    if (ragged) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, nullptr};
    const cellproof_cuda_options options{CELLPROOF_CUDA_DEVICE,
                                         steps ? CELLPROOF_CUDA_PATH_STEPS : CELLPROOF_CUDA_PATH_AUTO, 1, 1};
    cellproof_cuda_plan* made = nullptr;
    const auto status = cellproof_cuda_prepare(&node, &options, &made, message_.data(), message_.size());
    plan_.reset(made);
    if (status == CELLPROOF_OUT_OF_MEMORY) throw Unavailable(message_.data());
    if (status != CELLPROOF_OK) throw std::runtime_error(message_.data());
    inputs_[CELLPROOF_X] = data.X.data();
    inputs_[CELLPROOF_SEQUENCE_LENS] = data.lengths.data();
    auto* const states = static_cast<std::byte*>(states_.data());
    outputs_ = {Y_.data(), states, cell == Cell::Lstm ? states + states_.bytes() / 2 : nullptr};
  }

  std::string version() const override {
    std::array<char, 256> device{};
    cellproof_cuda_describe(CELLPROOF_CUDA_DEVICE, device.data(), device.size());
    return std::string(CELLPROOF_VERSION " ") + cellproof_cuda_path_of(plan_.get()) + ", " + device.data();
  }
  void* stream() const override { return cellproof_cuda_stream(plan_.get()); }
  void issue() override {
    if (cellproof_cuda_run(plan_.get(), inputs_.data(), outputs_.data(), message_.data(), message_.size()) !=
        CELLPROOF_OK)
      throw std::runtime_error(message_.data());
  }
  const DeviceMemory& Y() const override { return Y_; }

 private:
  struct Release {
    void operator()(cellproof_cuda_plan* plan) const { cellproof_cuda_release(plan); }
  };

  const RowData& data_;
  DeviceMemory Y_, states_;
  std::array<const void*, CELLPROOF_INPUTS> inputs_{};
  std::array<void*, CELLPROOF_OUTPUTS> outputs_{};
  std::array<char, 512> message_{};
  std::unique_ptr<cellproof_cuda_plan, Release> plan_;
};

}  // namespace

std::unique_ptr<Subject> make_our_kernels(const RowData& data, bool steps) {
  return std::make_unique<OurKernels>(data, steps);
}

}  // namespace cellproof::lab::bench::gpu
