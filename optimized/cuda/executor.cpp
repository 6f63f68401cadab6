#include "optimized/cuda/executor.hpp"

#include <algorithm>

#include "optimized/cuda/quantized_recurrence.hpp"
#include "optimized/cuda/recurrence.hpp"
#include "optimized/cuda/single_step_recurrence.hpp"

namespace cellproof::cuda {
namespace {

constexpr std::size_t weights[] = {CELLPROOF_W,       CELLPROOF_R,           CELLPROOF_B,
                                   CELLPROOF_P,       CELLPROOF_W_SCALE,     CELLPROOF_W_ZERO_POINT,
                                   CELLPROOF_R_SCALE, CELLPROOF_R_ZERO_POINT};
/// Inputs that change from run to run, but for sequence_lens, which stays on the host.
constexpr std::size_t of_each_run[] = {CELLPROOF_X, CELLPROOF_INITIAL_H, CELLPROOF_INITIAL_C};

std::size_t bytes_of(const Node& node, std::size_t input) {
  const cellproof_tensor& tensor = node.inputs.at(input);
  return static_cast<std::size_t>(element_count(tensor)) * size_of(tensor.type);
}

std::size_t bytes_of_output(const Node& node, std::size_t output) {
  const auto& g = node.geometry;
  const Index states = g.D * g.N * g.H;
  return static_cast<std::size_t>(output == CELLPROOF_Y ? g.T * states : states) *
         size_of(node.inputs[CELLPROOF_X].type);
}

template <class T>
void upload(Backend& backend, const Memory<T>& memory, const std::vector<T>& values) {
  backend.upload(memory.data(), values.data(), values.size() * sizeof(T));
}

}  // namespace

Executor::Executor(const Node& node, Backend& backend, const Setting& setting)
    : node_(node),
      backend_(backend),
      tensors_are_there_(setting.tensors_on_device || backend.is_host()),
      returns_early_(setting.tensors_on_device && setting.asynchronous) {
  const auto& g = node.geometry;
  first_rows_ = Memory<Index>(backend, g.T + 1);
  lengths_ = Memory<Index>(backend, g.N);
  for (Index d = 0; d < g.D; ++d) {
    in_x_.emplace_back(backend, g.T * g.N);
    in_y_.emplace_back(backend, g.T * g.N);
    in_state_.emplace_back(backend, g.N);
  }
  if (tensors_are_there_) return;
  for (std::size_t i = 0; i < CELLPROOF_INPUTS; ++i)
    if (node.has(i) && i != CELLPROOF_SEQUENCE_LENS)
      staged_inputs_.at(i) = Memory<std::byte>(backend, static_cast<Index>(bytes_of(node, i)));
}

void Executor::place(std::size_t input, const void* data) {
  if (!node_.has(input)) return;
  if (!tensors_are_there_) {
    backend_.upload(staged_inputs_.at(input).data(), data, bytes_of(node_, input));
    data = staged_inputs_.at(input).data();
  }
  arguments_.inputs.at(input) = data;
}

void Executor::pack_constants(const Arguments& constants) {
  for (const std::size_t i : weights)
    if (node_.has(i) && constants.inputs.at(i) == nullptr && element_count(node_.inputs.at(i)) > 0) return;
  for (const std::size_t i : weights) place(i, constants.inputs.at(i));
  pack();
  backend_.finish();
  weights_are_packed_ = true;
}

void Executor::set_lengths(const std::int32_t* lengths) {
  std::vector<std::int32_t> latest(static_cast<std::size_t>(node_.geometry.N),
                                   static_cast<std::int32_t>(std::min<Index>(node_.geometry.T, INT32_MAX)));
  if (lengths != nullptr) std::copy_n(lengths, latest.size(), latest.begin());
  if (schedule_ && latest == latest_lengths_) return;
  schedule_ = std::make_unique<Schedule>(node_, lengths);
  latest_lengths_ = std::move(latest);
  ++schedules_made_;
  upload(backend_, first_rows_, schedule_->first_rows());
  upload(backend_, lengths_, schedule_->lengths());
  for (std::size_t d = 0; d < in_x_.size(); ++d) {
    upload(backend_, in_x_[d], schedule_->in_x(static_cast<Index>(d)));
    upload(backend_, in_y_[d], schedule_->in_y(static_cast<Index>(d)));
    upload(backend_, in_state_[d], schedule_->in_state(static_cast<Index>(d)));
  }
  backend_.finish();  // what was just uploaded goes out of scope
}

/// Values that a recorded run depends on.
std::vector<std::uint64_t> Executor::key() const {
  std::vector<std::uint64_t> key{schedules_made_};
  for (const void* data : arguments_.inputs) key.push_back(reinterpret_cast<std::uintptr_t>(data));
  for (const void* data : arguments_.outputs) key.push_back(reinterpret_cast<std::uintptr_t>(data));
  return key;
}

void Executor::run(const Arguments& arguments) {
  backend_.use_branch(0);  // a run that failed may have left another one
  set_lengths(arguments.input<std::int32_t>(CELLPROOF_SEQUENCE_LENS));
  for (const std::size_t i : of_each_run) place(i, arguments.inputs.at(i));
  if (!weights_are_packed_) {
    for (const std::size_t i : weights) place(i, arguments.inputs.at(i));
    pack();
  }
  for (std::size_t i = 0; i < CELLPROOF_OUTPUTS; ++i) {
    void* data = arguments.outputs.at(i);
    if (data != nullptr && !tensors_are_there_) {
      Memory<std::byte>& staged = staged_outputs_.at(i);
      if (staged.data() == nullptr) staged = Memory<std::byte>(backend_, static_cast<Index>(bytes_of_output(node_, i)));
      data = staged.data();
    }
    arguments_.outputs.at(i) = data;
  }
  const auto& g = node_.geometry;
  const bool has_padding = schedule_->rows() < g.T * g.N;
  if (void* Y = arguments_.outputs[CELLPROOF_Y]; Y != nullptr && has_padding)
    backend_.clear(Y, bytes_of_output(node_, CELLPROOF_Y));
  // A graph of one or two launches takes longer to start than they do.
  if (launches() <= 2)
    compute();
  else
    backend_.replay(key(), launches(), [this] { compute(); });
  if (!tensors_are_there_)
    for (std::size_t i = 0; i < CELLPROOF_OUTPUTS; ++i)
      if (void* data = arguments.outputs.at(i))
        backend_.download(data, staged_outputs_.at(i).data(), bytes_of_output(node_, i));
  if (!returns_early_) backend_.finish();
}

Index Executor::steps_of_chunk(std::size_t bytes_of_row) const {
  const auto& g = node_.geometry;
  const std::size_t step = static_cast<std::size_t>(std::max<Index>(g.N, 1)) * std::max<std::size_t>(bytes_of_row, 1);
  return std::clamp<Index>(static_cast<Index>(backend_.limits().ahead_bytes / step), 1, std::max<Index>(g.T, 1));
}

namespace {

template <class Real>
std::unique_ptr<Executor> make_float_executor(const Node& node, Backend& backend, const Setting& setting) {
  if (setting.path == CELLPROOF_CUDA_PATH_AUTO && SingleStepRecurrence<Real>::takes(node, backend))
    return std::make_unique<SingleStepRecurrence<Real>>(node, backend, setting);
  return std::make_unique<FloatRecurrence<Real>>(node, backend, setting);
}

}  // namespace

std::unique_ptr<Executor> make_executor(const Node& node, Backend& backend, const Setting& setting) {
  if (node.quantized()) return std::make_unique<QuantizedRecurrence>(node, backend, setting);
  if (node.storage == Storage::Double) return make_float_executor<double>(node, backend, setting);
  return make_float_executor<float>(node, backend, setting);
}

}  // namespace cellproof::cuda
