#include "optimized/cudnn/plan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "optimized/cudnn/capability.hpp"

namespace cellproof::cudnn {
namespace {

std::int32_t as_int(std::int64_t value) {
  return static_cast<std::int32_t>(value);
}

constexpr std::size_t weight_inputs[] = {CELLPROOF_W, CELLPROOF_R, CELLPROOF_B};

}  // namespace

Plan::Plan(const cellproof_cudnn_context& context, const Node& node)
    : context_(context),
      node_(node),
      rows_{sizes_of(node_), node_.batch_first, node_.reversed[0]},
      blocks_(weight_blocks(node_)),
      descriptors_(context),
      weights_(context),
      workspace_(context),
      moves_(context),
      inputs_{Buffer(context), Buffer(context), Buffer(context), Buffer(context),
              Buffer(context), Buffer(context), Buffer(context), Buffer(context)},
      outputs_{Buffer(context), Buffer(context), Buffer(context)},
      x_(context),
      h_(context),
      c_(context),
      y_(context),
      h_out_(context),
      c_out_(context) {
  describe_layer(0);
  take_places();
  keep_constants();
  const bool all_constant =
      std::ranges::all_of(weight_inputs, [&](std::size_t input) { return !node_.has(input) || is_constant_[input]; });
  if (all_constant) {
    pack_weights(nullptr);
    weights_are_packed_ = true;
  }
  if (is_constant_[CELLPROOF_SEQUENCE_LENS] || !node_.has(CELLPROOF_SEQUENCE_LENS)) {
    take_lengths(nullptr);
  } else {
    lengths_.assign(as_size(rows_.size.N), as_int(rows_.size.T));
    describe_lengths();
  }
  context_.check_device(context_.device->synchronize(context_.stream), "packing the weights");
}

std::size_t Plan::bytes_of_x() const {
  return as_size(rows_.size.T * rows_.size.N * rows_.size.I) * element();
}
std::size_t Plan::bytes_of_y() const {
  return as_size(rows_.size.T) * bytes_of_state();
}
std::size_t Plan::bytes_of_state() const {
  return as_size(rows_.size.D * rows_.size.N * rows_.size.H) * element();
}

/// cuDNN takes neither empty tensors nor a batch in which no sequence has a step.
bool Plan::runs_cudnn() const {
  return std::ranges::any_of(lengths_, [](std::int32_t length) { return length > 0; });
}

void Plan::keep_constants() {
  for (std::size_t i = 0; i < layer_inputs; ++i) {
    const auto& tensor = node_.inputs[i];
    if (tensor.data == nullptr) continue;
    const auto* const bytes = static_cast<const std::byte*>(tensor.data);
    constants_[i].assign(bytes, bytes + element_count(tensor) * size_of(tensor.type));
    is_constant_[i] = true;
    node_.inputs[i].data = nullptr;
  }
  for (const std::size_t i : {CELLPROOF_X, CELLPROOF_INITIAL_H, CELLPROOF_INITIAL_C}) {
    if (!is_constant_[i]) continue;
    context_.check_device(context_.device->copy(inputs_[i].reserve(constants_[i].size()), constants_[i].data(),
                                                constants_[i].size(), Copy::ToDevice, context_.stream),
                          "copying a constant input");
  }
}

Plan::Data Plan::data_of(std::size_t input, const void* const* inputs) const {
  if (is_constant_[input]) return {constants_[input].data(), Copy::ToDevice};
  const bool on_host = is_on_host() || input == CELLPROOF_SEQUENCE_LENS || input == CELLPROOF_P;
  const void* const given = inputs[input];
  if (given == nullptr && element_count(node_.inputs[input]) > 0)
    throw Failure{CELLPROOF_INVALID, std::string("input ") + node::input_name(input) + " comes without data (input " +
                                         node::input_name(input) + ")"};
  return {given, on_host ? Copy::ToDevice : Copy::OnDevice};
}

/// Checks tensors in the device's memory. Throws Failure (INVALID).
void Plan::check_pointers(const void* const* inputs, void* const* outputs) const {
  constexpr std::uintptr_t alignment = 16;
  constexpr const char* names_of_outputs[] = {"Y", "Y_h", "Y_c"};
  const auto check = [&](const void* data, const std::string& what, const std::string& name) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
      throw Failure{CELLPROOF_INVALID, what + " " + name + " begins at an address that is no multiple of " +
                                           std::to_string(alignment) + " (" + what + " " + name + ")"};
  };
  for (std::size_t i = 0; i < layer_inputs; ++i) {
    const bool is_there = i != CELLPROOF_SEQUENCE_LENS && i != CELLPROOF_P && node_.has(i) && !is_constant_[i] &&
                          element_count(node_.inputs[i]) > 0;
    if (!is_there) continue;
    check(inputs[i], "input", node::input_name(i));
    for (std::size_t o = 0; o < CELLPROOF_OUTPUTS; ++o)
      if (outputs[o] != nullptr && outputs[o] == inputs[i])
        throw Failure{CELLPROOF_INVALID, std::string("output ") + names_of_outputs[o] + " lies where input " +
                                             node::input_name(i) + " does, expected memory of its own (output " +
                                             names_of_outputs[o] + ")"};
  }
  for (std::size_t o = 0; o < CELLPROOF_OUTPUTS; ++o) check(outputs[o], "output", names_of_outputs[o]);
}

void Plan::take_lengths(const void* const* inputs) {
  std::vector<std::int32_t> lengths(as_size(rows_.size.N), as_int(rows_.size.T));
  if (node_.has(CELLPROOF_SEQUENCE_LENS) && !lengths.empty()) {
    const void* const given = data_of(CELLPROOF_SEQUENCE_LENS, inputs).data;
    if (given != nullptr) std::memcpy(lengths.data(), given, lengths.size() * sizeof lengths[0]);
    node::check_lengths(node_, lengths.data());
  }
  if (lengths_are_described_ && lengths == lengths_) return;
  lengths_ = std::move(lengths);
  describe_lengths();
}

void Plan::pack_weights(const void* const* inputs) {
  for (const WeightBlock& block : blocks_) {
    const Data source = data_of(block.input, inputs);
    context_.check_device(
        context_.device->copy(weights_.data() + as_size(block.to) * element(),
                              static_cast<const std::byte*>(source.data) + as_size(block.from) * element(),
                              as_size(block.count) * element(), source.to_device, context_.stream),
        "packing the weights");
  }
}

/// nullptr where the node has no such input.
const std::byte* Plan::on_device(std::size_t input, const void* const* inputs) {
  if (!node_.has(input)) return nullptr;
  if (is_constant_[input]) return inputs_[input].data();
  const Data source = data_of(input, inputs);
  if (source.to_device == Copy::OnDevice && source.data != nullptr) return static_cast<const std::byte*>(source.data);
  const std::size_t bytes = element_count(node_.inputs[input]) * element();
  std::byte* const memory = inputs_[input].reserve(bytes);
  if (bytes > 0)
    context_.check_device(context_.device->copy(memory, source.data, bytes, Copy::ToDevice, context_.stream),
                          "copying an input");
  return memory;
}

void Plan::move(std::byte* to, const std::byte* from, std::int64_t row, const Moves& moves) {
  if (moves.count == 0) return;
  const auto* const all = reinterpret_cast<const RowMove*>(moves_.data());
  context_.check_device(
      context_.device->move_rows(to, from, as_size(row) * element(), all + moves.first, moves.count, context_.stream),
      "moving rows");
}

const std::byte* Plan::state_for_cudnn(const std::byte* given, Buffer& into) {
  if (given == nullptr || rows_.states_in_place()) return given;
  std::byte* const moved = into.reserve(bytes_of_state());
  move(moved, given, rows_.size.H, states_in_);
  return moved;
}

void Plan::finish_state(std::byte* to, const std::byte* from, const std::byte* initial) {
  move(to, from, rows_.size.H, states_out_);
  if (initial != nullptr) {
    move(to, initial, rows_.size.H, states_kept_);
    return;
  }
  // The moves name rows of an initial state; without one, those rows are zeros.
  for (std::size_t i = 0; i < states_kept_.count; ++i) {
    const std::size_t row = as_size(rows_.size.H) * element();
    context_.check_device(
        context_.device->zero(to + as_size(host_moves_[states_kept_.first + i].to) * row, row, context_.stream),
        "clearing a state");
  }
}

Plan::Results Plan::results_for(void* const* outputs) {
  Results results{};
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = !is_on_host() && outputs[i] ? static_cast<std::byte*>(outputs[i]) : outputs_[i].reserve(bytes_of(i));
  return results;
}

void Plan::run_layer(const void* const* inputs, const std::byte* initial_h, const std::byte* initial_c,
                     const Results& results) {
  if (!weights_are_packed_) pack_weights(inputs);
  const std::byte* x = on_device(CELLPROOF_X, inputs);
  if (node_.reversed[0]) {
    std::byte* const flipped = x_.reserve(bytes_of_x());
    move(flipped, x, rows_.size.I, flip_x_);
    x = flipped;
  }
  std::byte* const y = rows_.y_in_place() ? results[CELLPROOF_Y] : y_.reserve(bytes_of_y());
  const bool states_in_place = rows_.states_in_place();
  std::byte* const h = states_in_place ? results[CELLPROOF_Y_H] : h_out_.reserve(bytes_of_state());
  std::byte* const c = !has_cell()       ? nullptr
                       : states_in_place ? results[CELLPROOF_Y_C]
                                         : c_out_.reserve(bytes_of_state());
  context_.check_node(
      context_.api.cudnnRNNForward(context_.handle, descriptors_.rnn, inference, nullptr, descriptors_.x, x,
                                   descriptors_.y, y, descriptors_.state, state_for_cudnn(initial_h, h_), h,
                                   has_cell() ? descriptors_.state : nullptr, state_for_cudnn(initial_c, c_), c,
                                   weight_bytes_, weights_.data(), workspace_bytes_, workspace_.data(), 0, nullptr),
      "cudnnRNNForward");
  move(results[CELLPROOF_Y], y, rows_.size.H, finish_y_);
  finish_state(results[CELLPROOF_Y_H], h, initial_h);
  if (has_cell()) finish_state(results[CELLPROOF_Y_C], c, initial_c);
}

void Plan::run_without_steps(const std::byte* initial_h, const std::byte* initial_c, const Results& results) {
  context_.check_device(context_.device->zero(results[CELLPROOF_Y], bytes_of_y(), context_.stream), "clearing Y");
  finish_state(results[CELLPROOF_Y_H], nullptr, initial_h);
  if (has_cell()) finish_state(results[CELLPROOF_Y_C], nullptr, initial_c);
}

void Plan::copy_to_host(const Results& results, void* const* outputs) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (outputs[i] && bytes_of(i) > 0)
      context_.check_device(
          context_.device->copy(outputs[i], results[i], bytes_of(i), Copy::FromDevice, context_.stream),
          "copying an output");
  context_.check_device(context_.device->synchronize(context_.stream), "waiting for the device");
}

void Plan::run(const void* const* inputs, void* const* outputs) {
  if (context_.options.memory == CELLPROOF_CUDNN_MEMORY_DEVICE) check_pointers(inputs, outputs);
  take_lengths(inputs);
  if (node_.has(CELLPROOF_P) && !is_constant_[CELLPROOF_P])
    check_peepholes(node_.inputs[CELLPROOF_P], data_of(CELLPROOF_P, inputs).data);
  const Results results = results_for(outputs);
  const std::byte* const initial_h = on_device(CELLPROOF_INITIAL_H, inputs);
  const std::byte* const initial_c = on_device(CELLPROOF_INITIAL_C, inputs);
  if (runs_cudnn())
    run_layer(inputs, initial_h, initial_c, results);
  else
    run_without_steps(initial_h, initial_c, results);
  if (is_on_host()) copy_to_host(results, outputs);
}

}  // namespace cellproof::cudnn
