#include <algorithm>
#include <utility>

#include "optimized/cudnn/plan.hpp"

// Descriptions of a plan that cuDNN is given: the layer, the places of its weights, and lengths.

namespace cellproof::cudnn {
namespace {

int data_type_of(cellproof_type type) {
  switch (type) {
    case CELLPROOF_FLOAT16:
      return data::float16;
    case CELLPROOF_BFLOAT16:
      return data::bfloat16;
    case CELLPROOF_DOUBLE:
      return data::float64;
    default:
      return data::float32;
  }
}

int cell_of(const Node& node) {
  if (node.op == CELLPROOF_LSTM) return cell::lstm;
  if (node.op == CELLPROOF_GRU) return cell::gru;
  return node.activations[0][0].function == Function::Relu ? cell::relu : cell::tanh;
}

std::int32_t as_int(std::int64_t value) {
  return static_cast<std::int32_t>(value);
}

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

void Plan::describe_layer(std::uint32_t flags) {
  const auto [T, N, I, H, D] = rows_.size;
  const int type = data_type_of(node_.type);
  const bool is_double = node_.type == CELLPROOF_DOUBLE;
  // cuDNN's reference names only the default for double, whose products have no narrower way.
  const int kind = context_.options.math != CELLPROOF_CUDNN_MATH_FMA ? math::tensor_op
                   : is_double                                       ? math::standard
                                                                     : math::fma;
  const auto& api = context_.api;
  context_.check_node(api.cudnnSetRNNDescriptor_v8(descriptors_.rnn, algorithm::standard, cell_of(node_),
                                                   node_.has(CELLPROOF_B) ? bias::both : bias::none,
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

/// The packed formula is only what was measured. A part of another shape, or one that does not lie in the space, would
/// be a wrong result without an error.
void place_weights(const Descriptors& descriptors, const Node& node, std::span<std::byte> space,
                   std::vector<WeightBlock>& blocks) {
  const cellproof_cudnn_context& context = descriptors.context;
  const std::int64_t H = sizes_of(node).H;
  for (WeightBlock& block : blocks) {
    const auto differ = [&](const std::string& how) {
      throw Failure{CELLPROOF_FAILED, "cuDNN keeps weights in another way than is known: part " +
                                          std::to_string(block.id) + " of direction " +
                                          std::to_string(block.direction) + " " + how};
    };
    void *matrix = nullptr, *bias = nullptr;
    context.check(context.api.cudnnGetRNNWeightParams(context.handle, descriptors.rnn, block.direction, space.size(),
                                                      space.data(), block.id, descriptors.matrix, &matrix,
                                                      descriptors.bias, &bias),
                  "cudnnGetRNNWeightParams");
    const bool is_bias = block.input == CELLPROOF_B;
    const std::int64_t columns = block.count / H;
    int type = 0, rank = 0, shape[3]{}, strides[3]{};
    context.check(context.api.cudnnGetTensorNdDescriptor(is_bias ? descriptors.bias : descriptors.matrix, 3, &type,
                                                         &rank, shape, strides),
                  "cudnnGetTensorNdDescriptor");
    if (type != data_type_of(node.type) || rank != 3 || shape[0] != 1 || shape[1] != H || shape[2] != columns ||
        strides[1] != columns || strides[2] != 1)
      differ("has another shape");
    const std::ptrdiff_t at = static_cast<const std::byte*>(is_bias ? bias : matrix) - space.data();
    const auto size = static_cast<std::ptrdiff_t>(size_of(node.type));
    if (at < 0 || at % size != 0 || at + block.count * size > static_cast<std::ptrdiff_t>(space.size()))
      differ("does not lie in the weight space");
    block.to = at / size;
  }
}

void Plan::take_places() {
  context_.check(context_.api.cudnnGetRNNWeightSpaceSize(context_.handle, descriptors_.rnn, &weight_bytes_),
                 "cudnnGetRNNWeightSpaceSize");
  std::byte* const base = weights_.reserve(weight_bytes_);
  context_.check_device(context_.device->zero(base, weight_bytes_, context_.stream), "clearing the weights");
  place_weights(descriptors_, node_, {base, weight_bytes_}, blocks_);
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
  flip_x_ = append(node_.reversed[0] ? rows_.flip_x(lengths_) : std::vector<RowMove>{});
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
    const auto [T, N, I, H, D] = rows_.size;
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
                                                        as_int(rows_.size.T), as_int(rows_.size.N), as_int(vector),
                                                        lengths.data(), &zero),
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

}  // namespace cellproof::cudnn
