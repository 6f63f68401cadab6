#include "optimized/cudnn/plan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "optimized/cudnn/capability.hpp"

namespace cellproof::cudnn {
namespace {

int data_type_of(cellproof_cudnn_type type) {
  switch (type) {
    case CELLPROOF_CUDNN_FLOAT16:
      return data::float16;
    case CELLPROOF_CUDNN_BFLOAT16:
      return data::bfloat16;
    case CELLPROOF_CUDNN_DOUBLE:
      return data::float64;
    default:
      return data::float32;
  }
}

int cell_of(const Node& node) {
  if (node.op == CELLPROOF_CUDNN_LSTM) return cell::lstm;
  if (node.op == CELLPROOF_CUDNN_GRU) return cell::gru;
  return node.activations.front() == "relu" ? cell::relu : cell::tanh;
}

std::size_t as_size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}
std::int32_t as_int(std::int64_t value) {
  return static_cast<std::int32_t>(value);
}

constexpr std::size_t weight_inputs[] = {CELLPROOF_CUDNN_W, CELLPROOF_CUDNN_R, CELLPROOF_CUDNN_B};

}  // namespace

std::byte* Buffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_ && memory_ != nullptr) return memory_;
  context_.device->release(std::exchange(memory_, nullptr));
  bytes_ = 0;
  void* made = nullptr;
  const std::size_t at_least_one = std::max<std::size_t>(bytes, 1);
  context_.check_device(context_.device->allocate(&made, at_least_one), "reserving memory on the device");
  memory_ = static_cast<std::byte*>(made);
  bytes_ = at_least_one;
  return memory_;
}

Descriptors::Descriptors(const cellproof_cudnn_context& made_in) : context(made_in) {
  const CudnnApi& api = context.api;
  // One whose creation fails takes those before it along: no destructor runs for an object that was never made.
  try {
    context.check(api.cudnnCreateRNNDescriptor(&rnn), "cudnnCreateRNNDescriptor");
    for (RnnDataDescriptor* const made : {&x, &y})
      context.check(api.cudnnCreateRNNDataDescriptor(made), "cudnnCreateRNNDataDescriptor");
    for (TensorDescriptor* const made : {&state, &matrix, &bias})
      context.check(api.cudnnCreateTensorDescriptor(made), "cudnnCreateTensorDescriptor");
  } catch (...) {
    destroy();
    throw;
  }
}

void Descriptors::destroy() {
  const CudnnApi& api = context.api;
  if (rnn != nullptr) api.cudnnDestroyRNNDescriptor(rnn);
  for (void* const made : {x, y})
    if (made != nullptr) api.cudnnDestroyRNNDataDescriptor(made);
  for (void* const made : {state, matrix, bias})
    if (made != nullptr) api.cudnnDestroyTensorDescriptor(made);
}

std::uint32_t flags_of_layer(bool batch_first, std::span<const std::int32_t> lengths, std::int64_t T) {
  const bool is_padded = std::ranges::any_of(lengths, [&](std::int32_t length) { return length < T; });
  return batch_first || is_padded ? padded_io : 0;
}

Plan::Plan(const cellproof_cudnn_context& context, Node node)
    : context_(context),
      node_(std::move(node)),
      rows_{node_.size, node_.batch_first, node_.reverse},
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
  if (is_constant_[CELLPROOF_CUDNN_SEQUENCE_LENS] || !node_.has(CELLPROOF_CUDNN_SEQUENCE_LENS)) {
    take_lengths(nullptr);
  } else {
    lengths_.assign(as_size(node_.size.N), as_int(node_.size.T));
    describe_lengths();
  }
  context_.check_device(context_.device->synchronize(context_.stream), "packing the weights");
}

std::size_t Plan::bytes_of_x() const {
  return as_size(node_.size.T * node_.size.N * node_.size.I) * element();
}
std::size_t Plan::bytes_of_y() const {
  return as_size(node_.size.T) * bytes_of_state();
}
std::size_t Plan::bytes_of_state() const {
  return as_size(node_.size.D * node_.size.N * node_.size.H) * element();
}

/// cuDNN takes neither empty tensors nor a batch in which no sequence has a step.
bool Plan::runs_cudnn() const {
  return std::ranges::any_of(lengths_, [](std::int32_t length) { return length > 0; });
}

void Plan::describe_layer(std::uint32_t flags) {
  const auto [T, N, I, H, D] = node_.size;
  const int type = data_type_of(node_.type);
  const bool is_double = node_.type == CELLPROOF_CUDNN_DOUBLE;
  // Of double, whose products have no narrower way, cuDNN's reference names the default only.
  const int kind = context_.options.math != CELLPROOF_CUDNN_MATH_FMA ? math::tensor_op
                   : is_double                                       ? math::standard
                                                                     : math::fma;
  const auto& api = context_.api;
  context_.check_node(api.cudnnSetRNNDescriptor_v8(descriptors_.rnn, algorithm::standard, cell_of(node_),
                                                   node_.has(CELLPROOF_CUDNN_B) ? bias::both : bias::none,
                                                   D == 2 ? direction::two : direction::one, linear_input, type,
                                                   is_double ? data::float64 : data::float32, kind, as_int(I),
                                                   as_int(H), as_int(H), 1, nullptr, flags),
                      "cudnnSetRNNDescriptor_v8");
  flags_ = flags;
  if (N == 0) return;
  const int shape[] = {as_int(D), as_int(N), as_int(H)}, strides[] = {as_int(N * H), as_int(H), 1};
  context_.check(api.cudnnSetTensorNdDescriptor(descriptors_.state, type, 3, shape, strides),
                 "cudnnSetTensorNdDescriptor");
}

/// Each part goes where cuDNN says that it lies; the packed formula is only what was measured. A part of another shape,
/// or one that does not lie in the space, would be a wrong result without an error.
void Plan::take_places() {
  const auto& api = context_.api;
  context_.check(api.cudnnGetRNNWeightSpaceSize(context_.handle, descriptors_.rnn, &weight_bytes_),
                 "cudnnGetRNNWeightSpaceSize");
  std::byte* const base = weights_.reserve(weight_bytes_);
  context_.check_device(context_.device->zero(base, weight_bytes_, context_.stream), "clearing the weights");
  for (WeightBlock& block : blocks_) {
    const auto differ = [&](const std::string& how) {
      throw Failure{CELLPROOF_CUDNN_FAILED, "cuDNN keeps weights in another way than is known: part " +
                                                std::to_string(block.id) + " of direction " +
                                                std::to_string(block.direction) + " " + how};
    };
    void *matrix = nullptr, *bias = nullptr;
    context_.check(api.cudnnGetRNNWeightParams(context_.handle, descriptors_.rnn, block.direction, weight_bytes_, base,
                                               block.id, descriptors_.matrix, &matrix, descriptors_.bias, &bias),
                   "cudnnGetRNNWeightParams");
    const bool is_bias = block.input == CELLPROOF_CUDNN_B;
    const std::int64_t columns = block.count / node_.size.H;
    int type = 0, rank = 0, shape[3]{}, strides[3]{};
    context_.check(api.cudnnGetTensorNdDescriptor(is_bias ? descriptors_.bias : descriptors_.matrix, 3, &type, &rank,
                                                  shape, strides),
                   "cudnnGetTensorNdDescriptor");
    if (type != data_type_of(node_.type) || rank != 3 || shape[0] != 1 || shape[1] != node_.size.H ||
        shape[2] != columns || strides[1] != columns || strides[2] != 1)
      differ("has another shape");
    const std::ptrdiff_t at = static_cast<const std::byte*>(is_bias ? bias : matrix) - base;
    const auto size = static_cast<std::ptrdiff_t>(element());
    if (at < 0 || at % size != 0 || at + block.count * size > static_cast<std::ptrdiff_t>(weight_bytes_))
      differ("does not lie in the weight space");
    block.to = at / size;
  }
}

void Plan::keep_constants() {
  for (std::size_t i = 0; i < CELLPROOF_CUDNN_INPUTS; ++i) {
    const auto& tensor = node_.inputs[i];
    if (tensor.data == nullptr) continue;
    const auto* const bytes = static_cast<const std::byte*>(tensor.data);
    constants_[i].assign(bytes, bytes + as_size(element_count(tensor)) * size_of(tensor.type));
    is_constant_[i] = true;
    node_.inputs[i].data = nullptr;
  }
  for (const std::size_t i : {CELLPROOF_CUDNN_X, CELLPROOF_CUDNN_INITIAL_H, CELLPROOF_CUDNN_INITIAL_C}) {
    if (!is_constant_[i]) continue;
    context_.check_device(context_.device->copy(inputs_[i].reserve(constants_[i].size()), constants_[i].data(),
                                                constants_[i].size(), Copy::ToDevice, context_.stream),
                          "copying a constant input");
  }
}

Plan::Data Plan::data_of(std::size_t input, const void* const* inputs) const {
  if (is_constant_[input]) return {constants_[input].data(), Copy::ToDevice};
  const bool on_host = context_.options.memory == CELLPROOF_CUDNN_MEMORY_HOST ||
                       input == CELLPROOF_CUDNN_SEQUENCE_LENS || input == CELLPROOF_CUDNN_P;
  const void* const given = inputs[input];
  if (given == nullptr && element_count(node_.inputs[input]) > 0)
    throw Failure{CELLPROOF_CUDNN_INVALID,
                  std::string("input ") + input_name(input) + " comes without data (input " + input_name(input) + ")"};
  return {given, on_host ? Copy::ToDevice : Copy::OnDevice};
}

/// Of tensors in the device's memory. Throws Failure (INVALID).
void Plan::check_pointers(const void* const* inputs, void* const* outputs) const {
  constexpr std::uintptr_t alignment = 16;
  constexpr const char* names_of_outputs[] = {"Y", "Y_h", "Y_c"};
  const auto check = [&](const void* data, const std::string& what, const std::string& name) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
      throw Failure{CELLPROOF_CUDNN_INVALID, what + " " + name + " begins at an address that is no multiple of " +
                                                 std::to_string(alignment) + " (" + what + " " + name + ")"};
  };
  for (std::size_t i = 0; i < CELLPROOF_CUDNN_INPUTS; ++i) {
    const bool is_there = i != CELLPROOF_CUDNN_SEQUENCE_LENS && i != CELLPROOF_CUDNN_P && node_.has(i) &&
                          !is_constant_[i] && element_count(node_.inputs[i]) > 0;
    if (!is_there) continue;
    check(inputs[i], "input", input_name(i));
    for (std::size_t o = 0; o < CELLPROOF_CUDNN_OUTPUTS; ++o)
      if (outputs[o] != nullptr && outputs[o] == inputs[i])
        throw Failure{CELLPROOF_CUDNN_INVALID, std::string("output ") + names_of_outputs[o] + " lies where input " +
                                                   input_name(i) + " does, expected memory of its own (output " +
                                                   names_of_outputs[o] + ")"};
  }
  for (std::size_t o = 0; o < CELLPROOF_CUDNN_OUTPUTS; ++o) check(outputs[o], "output", names_of_outputs[o]);
}

void Plan::take_lengths(const void* const* inputs) {
  std::vector<std::int32_t> lengths(as_size(node_.size.N), as_int(node_.size.T));
  if (node_.has(CELLPROOF_CUDNN_SEQUENCE_LENS) && !lengths.empty()) {
    const void* const given = data_of(CELLPROOF_CUDNN_SEQUENCE_LENS, inputs).data;
    if (given != nullptr) std::memcpy(lengths.data(), given, lengths.size() * sizeof lengths[0]);
    check_lengths(node_.size, lengths.data());
  }
  if (lengths_are_described_ && lengths == lengths_) return;
  lengths_ = std::move(lengths);
  describe_lengths();
}

void Plan::describe_lengths() {
  lengths_are_described_ = false;  // should one of the calls fail, the next run makes them again
  // cuDNN may still read what the last run's descriptors and places of rows say.
  context_.check_device(context_.device->synchronize(context_.stream), "waiting for the last run");
  host_moves_.clear();
  const auto append = [&](const std::vector<RowMove>& moves) {
    const Moves part{host_moves_.size(), moves.size()};
    host_moves_.insert(host_moves_.end(), moves.begin(), moves.end());
    return part;
  };
  flip_x_ = append(node_.reverse ? rows_.flip_x(lengths_) : std::vector<RowMove>{});
  finish_y_ = append(rows_.finish_y(lengths_));
  states_in_ = append(rows_.states_in());
  states_out_ = append(rows_.states_out(lengths_));
  states_kept_ = append(rows_.states_kept(lengths_, true));
  if (!host_moves_.empty()) {
    const std::size_t bytes = host_moves_.size() * sizeof(RowMove);
    context_.check_device(
        context_.device->copy(moves_.reserve(bytes), host_moves_.data(), bytes, Copy::ToDevice, context_.stream),
        "copying the places of rows");
    // The next lengths write over these, and a run on the device's own tensors does not wait.
    context_.check_device(context_.device->synchronize(context_.stream), "copying the places of rows");
  }
  if (runs_cudnn()) {
    const auto [T, N, I, H, D] = node_.size;
    const auto& api = context_.api;
    std::vector<int> lengths(lengths_.begin(), lengths_.end());
    // A sequence without steps is computed as one of a single step, whose results are then written over.
    for (int& length : lengths) length = std::max(length, 1);
    const std::uint32_t flags = flags_of_layer(node_.batch_first, lengths, T);
    if (flags != flags_) describe_layer(flags);
    double zero = 0;  // all bits zero: zero in every type
    const auto describe = [&](RnnDataDescriptor descriptor, std::int64_t vector) {
      context_.check_node(api.cudnnSetRNNDataDescriptor(descriptor, data_type_of(node_.type),
                                                        node_.batch_first ? layout::batch_first : layout::time_first,
                                                        as_int(T), as_int(N), as_int(vector), lengths.data(), &zero),
                          "cudnnSetRNNDataDescriptor");
    };
    std::size_t reserve = 0;  // not asked for in inference, but always pointed to by those who call cuDNN most
    describe(descriptors_.x, I);
    describe(descriptors_.y, D * H);
    context_.check_node(api.cudnnGetRNNTempSpaceSizes(context_.handle, descriptors_.rnn, inference, descriptors_.x,
                                                      &workspace_bytes_, &reserve),
                        "cudnnGetRNNTempSpaceSizes");
    workspace_.reserve(workspace_bytes_);
  }
  lengths_are_described_ = true;
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
  const std::size_t bytes = as_size(element_count(node_.inputs[input])) * element();
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
  move(moved, given, node_.size.H, states_in_);
  return moved;
}

void Plan::finish_state(std::byte* to, const std::byte* from, const std::byte* initial) {
  move(to, from, node_.size.H, states_out_);
  if (initial != nullptr) {
    move(to, initial, node_.size.H, states_kept_);
    return;
  }
  // The moves name rows of an initial state; without one, those rows are zeros.
  for (std::size_t i = 0; i < states_kept_.count; ++i) {
    const std::size_t row = as_size(node_.size.H) * element();
    context_.check_device(
        context_.device->zero(to + as_size(host_moves_[states_kept_.first + i].to) * row, row, context_.stream),
        "clearing a state");
  }
}

void Plan::run(const void* const* inputs, void* const* outputs) {
  if (context_.options.memory == CELLPROOF_CUDNN_MEMORY_DEVICE) check_pointers(inputs, outputs);
  take_lengths(inputs);
  if (node_.has(CELLPROOF_CUDNN_P) && !is_constant_[CELLPROOF_CUDNN_P])
    check_peepholes(node_.inputs[CELLPROOF_CUDNN_P], data_of(CELLPROOF_CUDNN_P, inputs).data);
  const std::array<std::size_t, CELLPROOF_CUDNN_OUTPUTS> bytes{bytes_of_y(), bytes_of_state(), bytes_of_state()};
  const bool on_host = context_.options.memory == CELLPROOF_CUDNN_MEMORY_HOST;
  std::array<std::byte*, CELLPROOF_CUDNN_OUTPUTS> results{};
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = !on_host && outputs[i] ? static_cast<std::byte*>(outputs[i]) : outputs_[i].reserve(bytes[i]);

  const std::byte* const initial_h = on_device(CELLPROOF_CUDNN_INITIAL_H, inputs);
  const std::byte* const initial_c = on_device(CELLPROOF_CUDNN_INITIAL_C, inputs);
  if (runs_cudnn()) {
    if (!weights_are_packed_) pack_weights(inputs);
    const std::byte* x = on_device(CELLPROOF_CUDNN_X, inputs);
    if (node_.reverse) {
      std::byte* const flipped = x_.reserve(bytes_of_x());
      move(flipped, x, node_.size.I, flip_x_);
      x = flipped;
    }
    std::byte* const y = rows_.y_in_place() ? results[CELLPROOF_CUDNN_Y] : y_.reserve(bytes_of_y());
    const bool states_in_place = rows_.states_in_place();
    std::byte* const h = states_in_place ? results[CELLPROOF_CUDNN_Y_H] : h_out_.reserve(bytes_of_state());
    std::byte* const c = !has_cell()       ? nullptr
                         : states_in_place ? results[CELLPROOF_CUDNN_Y_C]
                                           : c_out_.reserve(bytes_of_state());
    context_.check_node(
        context_.api.cudnnRNNForward(context_.handle, descriptors_.rnn, inference, nullptr, descriptors_.x, x,
                                     descriptors_.y, y, descriptors_.state, state_for_cudnn(initial_h, h_), h,
                                     has_cell() ? descriptors_.state : nullptr, state_for_cudnn(initial_c, c_), c,
                                     weight_bytes_, weights_.data(), workspace_bytes_, workspace_.data(), 0, nullptr),
        "cudnnRNNForward");
    move(results[CELLPROOF_CUDNN_Y], y, node_.size.H, finish_y_);
    finish_state(results[CELLPROOF_CUDNN_Y_H], h, initial_h);
    if (has_cell()) finish_state(results[CELLPROOF_CUDNN_Y_C], c, initial_c);
  } else {
    context_.check_device(context_.device->zero(results[CELLPROOF_CUDNN_Y], bytes[CELLPROOF_CUDNN_Y], context_.stream),
                          "clearing Y");
    finish_state(results[CELLPROOF_CUDNN_Y_H], nullptr, initial_h);
    if (has_cell()) finish_state(results[CELLPROOF_CUDNN_Y_C], nullptr, initial_c);
  }
  if (!on_host) return;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (outputs[i] && bytes[i] > 0)
      context_.check_device(context_.device->copy(outputs[i], results[i], bytes[i], Copy::FromDevice, context_.stream),
                            "copying an output");
  context_.check_device(context_.device->synchronize(context_.stream), "waiting for the device");
}

}  // namespace cellproof::cudnn
