#include "optimized/cudnn/testing/stand_in.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "optimized/cudnn/testing/elements.hpp"
#include "optimized/cudnn/testing/stand_in_state.hpp"

namespace cellproof::cudnn::testing {
namespace {

// Each object is one of these; the descriptors that cuDNN hands out are opaque.
template <class Kind, Object::Kind kind>
Status create(void** descriptor) {
  if (stand_in().descriptor_status != status::success && stand_in().good_descriptors-- <= 0)
    return complain(stand_in().descriptor_status, "as was asked for");
  auto* const made = new Kind{};
  made->kind = kind;
  *descriptor = static_cast<Object*>(made);
  ++stand_in().live_descriptors;
  return status::success;
}
template <class Kind>
Status destroy(void* descriptor) {
  delete static_cast<Kind*>(static_cast<Object*>(descriptor));
  --stand_in().live_descriptors;
  return status::success;
}
template <class Kind, Object::Kind kind>
Kind* get(void* descriptor) {
  auto* const object = static_cast<Object*>(descriptor);
  return object != nullptr && object->kind == kind ? static_cast<Kind*>(object) : nullptr;
}
Rnn* rnn_of(void* descriptor) {
  return get<Rnn, Object::Kind::Rnn>(descriptor);
}
RnnData* data_of(void* descriptor) {
  return get<RnnData, Object::Kind::RnnData>(descriptor);
}
TensorNd* tensor_of(void* descriptor) {
  return get<TensorNd, Object::Kind::Tensor>(descriptor);
}

bool is_type(int type) {
  return type == data::float16 || type == data::bfloat16 || type == data::float32 || type == data::float64;
}

bool is_computed_in(int type, int precision) {
  if (type == data::float64) return precision == data::float64;
  return (is_type(type) && precision == data::float32) || (type == data::float16 && precision == data::float16);
}

Status set_rnn(void* descriptor, int algorithm, int cell, int bias, int directions, int input_mode, int type,
               int precision, int math, std::int32_t I, std::int32_t H, std::int32_t projection, std::int32_t layers,
               void* dropout, std::uint32_t flags) {
  Rnn* const rnn = rnn_of(descriptor);
  if (rnn == nullptr) return complain(status::bad_param, "rnnDesc");
  for (const auto& [value, most] : {std::pair{algorithm, 3}, {cell, 3}, {bias, 3}, {directions, 1}, {math, 3}})
    if (value < 0 || value > most) return complain(status::bad_param, "an enumeration out of range");
  if (algorithm != algorithm::standard || input_mode != linear_input || dropout != nullptr || layers != 1)
    return complain(status::not_supported, "not a plain layer");
  if (!is_computed_in(type, precision)) return complain(status::not_supported, "dataType and mathPrec");
  if (I < 1 || H < 1 || projection < 1) return complain(status::bad_param, "sizes must be positive");
  if (projection != H) return complain(status::not_supported, "projSize != hiddenSize");
  if (flags > padded_io) return complain(status::bad_param, "auxFlags");
  static_cast<Object&>(*rnn).is_set = true;
  rnn->algorithm = algorithm, rnn->cell = cell, rnn->bias = bias, rnn->directions = directions, rnn->type = type;
  rnn->precision = precision, rnn->math = math, rnn->I = I, rnn->H = H, rnn->padded_io = flags == padded_io;
  stand_in().algorithm = algorithm, stand_in().math = math, stand_in().precision = precision;
  stand_in().padded_io = rnn->padded_io;
  return status::success;
}

Status set_rnn_data(void* descriptor, int type, int layout, int T, int N, int vector, const int* lengths, void* fill) {
  RnnData* const data = data_of(descriptor);
  if (data == nullptr || lengths == nullptr) return complain(status::bad_param, "NULL");
  if (!is_type(type) || T > most_steps) return complain(status::not_supported, "dataType or maxSeqLength");
  if (T < 1 || N < 1 || vector < 1) return complain(status::bad_param, "sizes must be positive");
  if (layout != layout::time_first && layout != layout::batch_first)
    return complain(status::not_supported, "packed sequences");
  if (std::any_of(lengths, lengths + N, [&](int length) { return length < 0 || length > T; }))
    return complain(status::bad_param, "seqLengthArray");
  *data = RnnData{{data->kind, true}, type, layout, T, N, vector, {lengths, lengths + N}, fill != nullptr, 0};
  if (fill) data->fill = element_at(fill, 0, type);
  return status::success;
}

Status set_tensor(void* descriptor, int type, int rank, const int* shape, const int* strides) {
  TensorNd* const tensor = tensor_of(descriptor);
  if (tensor == nullptr) return complain(status::bad_param, "tensorDesc");
  if (std::any_of(shape, shape + rank, [](int size) { return size < 1; })) return complain(status::bad_param, "dimA");
  *tensor = TensorNd{{tensor->kind, true}, type, {shape, shape + rank}, {strides, strides + rank}};
  return status::success;
}

Status get_tensor(void* descriptor, int asked, int* type, int* rank, int* shape, int* strides) {
  const TensorNd* const tensor = tensor_of(descriptor);
  if (tensor == nullptr) return complain(status::bad_param, "tensorDesc");
  *type = tensor->type;
  *rank = static_cast<int>(tensor->shape.size());
  const auto count = std::min<std::size_t>(static_cast<std::size_t>(asked), tensor->shape.size());
  std::copy_n(tensor->shape.begin(), count, shape);
  std::copy_n(tensor->strides.begin(), count, strides);
  return status::success;
}

Status weight_space_size(void* handle, void* descriptor, std::size_t* bytes) {
  const Rnn* const rnn = rnn_of(descriptor);
  if (handle == nullptr || rnn == nullptr || !rnn->is_set) return complain(status::bad_param, "rnnDesc");
  *bytes = weights_of(*rnn) * bytes_of(rnn->type);
  return status::success;
}

Status weight_params(void* handle, void* descriptor, std::int32_t layer, std::size_t bytes, const void* space,
                     std::int32_t id, void* matrix_desc, void** matrix, void* bias_desc, void** bias) {
  const Rnn* const rnn = rnn_of(descriptor);
  std::size_t needed = 0;
  if (weight_space_size(handle, descriptor, &needed) != status::success) return status::bad_param;
  if (bytes < needed || layer < 0 || static_cast<std::size_t>(layer) >= rnn->layers() || id < 0 ||
      static_cast<std::size_t>(id) >= 2 * rnn->gates())
    return complain(status::bad_param, "pseudoLayer, linLayerID or weightSpaceSize");
  auto* const base = static_cast<char*>(const_cast<void*>(space));
  const auto l = static_cast<std::size_t>(layer), part = static_cast<std::size_t>(id);
  const int columns = part < rnn->gates() ? rnn->I : rnn->H;
  int shape[] = {1, rnn->H, columns};
  const int strides[] = {rnn->H * columns, columns, 1};
  if (stand_in().weights_are_transposed) std::swap(shape[1], shape[2]);
  const int bias_shape[] = {1, rnn->H, 1}, bias_strides[] = {rnn->H, 1, 1};
  *matrix = base + matrix_at(*rnn, l, part) * bytes_of(rnn->type);
  *bias = rnn->bias == bias::none ? nullptr : base + bias_at(*rnn, l, part) * bytes_of(rnn->type);
  set_tensor(matrix_desc, rnn->type, 3, shape, strides);
  return set_tensor(bias_desc, rnn->type, 3, bias_shape, bias_strides);
}

std::size_t workspace_of(const Rnn& rnn, const RnnData& x) {
  // More for longer sequences, more gates and two directions, as the real one asks for.
  const int steps = std::accumulate(x.lengths.begin(), x.lengths.end(), 0);
  const std::size_t units = rnn.layers() * rnn.gates() * static_cast<std::size_t>(rnn.H);
  return 64 + static_cast<std::size_t>(steps) * units * bytes_of(rnn.type);
}

Status temp_space(void* handle, void* descriptor, int mode, void* x_desc, std::size_t* work, std::size_t* reserve) {
  const Rnn* const rnn = rnn_of(descriptor);
  const RnnData* const x = data_of(x_desc);
  if (handle == nullptr || rnn == nullptr || x == nullptr || !x->is_set || mode != inference)
    return complain(status::bad_param, "descriptors");
  *work = workspace_of(*rnn, *x);
  if (reserve) *reserve = 0;
  return status::success;
}

/// The state's descriptor and memory; `given`: is there anything to describe?
Status check_state(const Rnn& rnn, const RnnData& x, void* descriptor, const void* in, const void* out) {
  if (in == nullptr && out == nullptr) return status::success;
  const TensorNd* const tensor = tensor_of(descriptor);
  const auto layers = static_cast<int>(rnn.layers());
  if (tensor == nullptr || tensor->type != rnn.type || tensor->shape != std::vector{layers, x.N, rnn.H} ||
      tensor->strides != std::vector{x.N * rnn.H, rnn.H, 1})
    return complain(status::bad_param, "hDesc or cDesc");
  const std::size_t bytes = rnn.layers() * static_cast<std::size_t>(x.N * rnn.H) * bytes_of(rnn.type);
  for (const void* memory : {in, out})
    if (memory != nullptr && !is_reserved(memory, bytes)) return complain(status::execution_failed, "a state's memory");
  return status::success;
}

/// The descriptors of X and Y, against each other and the layer.
Status check_data(const Rnn& rnn, const RnnData& x, const RnnData& y) {
  const auto directions = static_cast<int>(rnn.layers());
  if (x.vector != rnn.I || y.vector != directions * rnn.H)
    return complain(status::bad_param, "yDesc->dimA[2] != (rnnDesc->bidirectional ? 2 : 1) * rnnDesc->projSize");
  const bool alike = x.layout == y.layout && x.T == y.T && x.N == y.N && x.lengths == y.lengths;
  if (x.type != rnn.type || y.type != rnn.type || !alike)
    return complain(status::bad_param, "xDesc->_seqLenCheckSum_ != yDesc->_seqLenCheckSum_");
  const bool is_padded =
      x.layout == layout::batch_first || std::ranges::any_of(x.lengths, [&](int length) { return length < x.T; });
  if (is_padded && !rnn.padded_io) return complain(status::bad_param, "(1U << 0) != rnnDesc->paddingMode()");
  if (std::ranges::find(x.lengths, 0) != x.lengths.end())
    return complain(status::execution_failed, "a length of zero, of which nobody knows what becomes");
  return status::success;
}

/// Spaces that a forward call works in.
struct Spaces {
  std::size_t weight_bytes;
  const void* weights;
  std::size_t work_bytes;
  void* work;
};

/// The memory of all but the states.
Status check_memory(const Rnn& rnn, const RnnData& xd, const void* x, const RnnData& yd, const void* y,
                    const Spaces& spaces) {
  if (spaces.weights == nullptr || spaces.work == nullptr)
    return complain(status::bad_param, "weightSpace or workSpace is NULL");
  const std::size_t size = bytes_of(rnn.type);
  if (spaces.weight_bytes != weights_of(rnn) * size || spaces.work_bytes < workspace_of(rnn, xd))
    return complain(status::bad_param, "weightSpaceSize or workSpaceSize");
  const auto steps = static_cast<std::size_t>(xd.T) * static_cast<std::size_t>(xd.N);
  const bool is_right = is_reserved(spaces.weights, spaces.weight_bytes) &&
                        is_reserved(spaces.work, spaces.work_bytes) &&
                        is_reserved(x, steps * static_cast<std::size_t>(xd.vector) * size) &&
                        is_reserved(y, steps * static_cast<std::size_t>(yd.vector) * size);
  return is_right ? status::success : complain(status::execution_failed, "memory that is not the device's");
}

Status forward(void*, void* rnn_desc, int mode, const std::int32_t* lengths, void* x_desc, const void* x, void* y_desc,
               void* y, void* h_desc, const void* hx, void* hy, void* c_desc, const void* cx, void* cy,
               std::size_t weight_bytes, const void* weights, std::size_t work_bytes, void* work, std::size_t, void*) {
  ++stand_in().forwards;
  stand_in().device_of_forward = stand_in().device;
  if (is_lost()) return complain(status::execution_failed, "the device is lost");
  if (stand_in().forward_status != status::success) return complain(stand_in().forward_status, "as was asked for");
  const Rnn* const rnn = rnn_of(rnn_desc);
  const RnnData *const xd = data_of(x_desc), *const yd = data_of(y_desc);
  if (rnn == nullptr || xd == nullptr || yd == nullptr || mode != inference || lengths != nullptr)
    return complain(status::bad_param, "descriptors");
  if (const Status s = check_data(*rnn, *xd, *yd); s != status::success) return s;
  const Spaces spaces{weight_bytes, weights, work_bytes, work};
  if (const Status s = check_memory(*rnn, *xd, x, *yd, y, spaces); s != status::success) return s;
  if (rnn->cell != cell::lstm && (cx != nullptr || cy != nullptr))
    return complain(status::bad_param, "a cell state without an LSTM");
  if (const Status s = check_state(*rnn, *xd, h_desc, hx, hy); s != status::success) return s;
  if (const Status s = check_state(*rnn, *xd, c_desc, cx, cy); s != status::success) return s;
  const Forward call{*rnn, *yd, x, y, hx, cx, hy, cy, weights};
  return issue([=] {
    std::memset(work, poison, work_bytes);
    compute(call);
  });
}

}  // namespace

Status complain(Status status, const std::string& condition) {
  stand_in().complaint = condition;
  return status;
}

StandIn& stand_in() {
  static StandIn one;
  return one;
}

void reset_stand_in() {
  const StandIn& old = stand_in();
  StandIn fresh;
  fresh.live_memory = old.live_memory;
  fresh.live_descriptors = old.live_descriptors;
  fresh.live_handles = old.live_handles;
  fresh.waiting = old.waiting;
  stand_in() = std::move(fresh);
}

const CudnnApi& stand_in_cudnn() {
  static const CudnnApi api{
      .cudnnGetVersion = [] { return stand_in().version; },
      .cudnnGetCudartVersion = []() -> std::size_t { return 13000; },
      .cudnnAdvVersionCheck = [] { return status::success; },
      .cudnnGetErrorString = [](Status) { return "a status of the stand-in"; },
      .cudnnGetLastErrorString =
          [](char* text, std::size_t size) {
            const std::string& said = stand_in().complaint;
            const std::size_t length = std::min(said.size(), size - 1);
            std::memcpy(text, said.data(), length);
            text[length] = '\0';
          },
      .cudnnCreate =
          [](Handle* handle) {
            if (stand_in().handle_status != status::success)
              return complain(stand_in().handle_status, "as was asked for");
            *handle = new int;
            ++stand_in().live_handles;
            return status::success;
          },
      .cudnnDestroy =
          [](Handle handle) {
            delete static_cast<int*>(handle);
            --stand_in().live_handles;
            return status::success;
          },
      .cudnnSetStream = [](Handle, void* stream) { return stream ? status::success : status::bad_param; },
      .cudnnCreateRNNDescriptor = create<Rnn, Object::Kind::Rnn>,
      .cudnnDestroyRNNDescriptor = destroy<Rnn>,
      .cudnnSetRNNDescriptor_v8 = set_rnn,
      .cudnnRNNSetClip_v9 = [](RnnDescriptor, int, double, double) { return complain(status::not_supported, "clip"); },
      .cudnnBuildRNNDynamic = [](Handle, RnnDescriptor, int) { return complain(status::not_supported, "persistent"); },
      .cudnnCreateRNNDataDescriptor = create<RnnData, Object::Kind::RnnData>,
      .cudnnDestroyRNNDataDescriptor = destroy<RnnData>,
      .cudnnSetRNNDataDescriptor = set_rnn_data,
      .cudnnCreateTensorDescriptor = create<TensorNd, Object::Kind::Tensor>,
      .cudnnDestroyTensorDescriptor = destroy<TensorNd>,
      .cudnnSetTensorNdDescriptor = set_tensor,
      .cudnnGetTensorNdDescriptor = get_tensor,
      .cudnnGetRNNWeightSpaceSize = weight_space_size,
      .cudnnGetRNNWeightParams = weight_params,
      .cudnnGetRNNTempSpaceSizes = temp_space,
      .cudnnRNNForward = forward};
  return api;
}

std::unique_ptr<cellproof_cudnn_context> stand_in_context(const cellproof_cudnn_options& options) {
  return make_context(stand_in_cudnn(), "a stand-in", stand_in_device(), options);
}

}  // namespace cellproof::cudnn::testing
