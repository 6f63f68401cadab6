#include "optimized/cudnn/context.hpp"

#include <algorithm>
#include <array>

cellproof_cudnn_context::~cellproof_cudnn_context() {
  if (handle != nullptr) api.cudnnDestroy(handle);
  if (stream != nullptr) device->destroy_stream(stream);
}

void cellproof_cudnn_context::fail(cellproof_status as, cellproof::cudnn::Status status, const char* call) const {
  namespace codes = cellproof::cudnn::status;
  if (status == codes::device_allocation_failed || status == codes::host_allocation_failed)
    as = CELLPROOF_OUT_OF_MEMORY;
  // The condition that failed, in cuDNN's own source text: several lines, of which one is made.
  std::array<char, 512> why{};
  api.cudnnGetLastErrorString(why.data(), why.size() - 1);
  std::string text = std::string(call) + ": " + api.cudnnGetErrorString(status) + " (" + std::to_string(status) + ")";
  if (why[0] != '\0') text += std::string(": ") + why.data();
  std::ranges::replace(text, '\n', ' ');
  throw cellproof::cudnn::Failure{as, text};
}

void cellproof_cudnn_context::check(cellproof::cudnn::Status status, const char* call) const {
  if (status != cellproof::cudnn::status::success) fail(CELLPROOF_FAILED, status, call);
}

void cellproof_cudnn_context::check_node(cellproof::cudnn::Status status, const char* call) const {
  if (cellproof::cudnn::status::is_of_node(status)) fail(CELLPROOF_NOT_SUPPORTED, status, call);
  check(status, call);
}

void cellproof_cudnn_context::check_opening(cellproof::cudnn::Status status, const char* call) const {
  if (cellproof::cudnn::status::is_of_installation(status)) fail(CELLPROOF_UNAVAILABLE, status, call);
  check(status, call);
}

void cellproof_cudnn_context::check_device(int error, const char* what) const {
  if (error == 0) return;
  throw cellproof::cudnn::Failure{
      error == cellproof::cudnn::device_out_of_memory ? CELLPROOF_OUT_OF_MEMORY : CELLPROOF_FAILED,
      std::string(what) + ": " + device->error_text(error) + " (" + std::to_string(error) + ")"};
}

namespace cellproof::cudnn {

OnDeviceOf::OnDeviceOf(const cellproof_cudnn_context& context) : device_(*context.device) {
  context.check_device(device_.current(&before_), "asking for the current device");
  is_other_ = before_ != context.device_number;
  if (is_other_) context.check_device(device_.use(context.device_number), "going to the context's device");
}

OnDeviceOf::~OnDeviceOf() {
  if (is_other_) device_.use(before_);
}

std::unique_ptr<cellproof_cudnn_context> make_context(const CudnnApi& api, const std::string& file,
                                                      const DeviceApi& device, const cellproof_cudnn_options& options) {
  auto made = std::make_unique<cellproof_cudnn_context>();
  made->api = api;
  made->device = &device;
  made->options = options;
  std::array<char, 300> name{};
  made->check_device(device.current(&made->device_number), "asking for the current device");
  made->check_device(device.describe(name.data(), name.size()), "looking at the device");
  const std::size_t cudart = api.cudnnGetCudartVersion();
  made->description = "cuDNN " + version_text(api.cudnnGetVersion()) + " (" + file + ", CUDA " +
                      std::to_string(cudart / 1000) + "." + std::to_string(cudart % 1000 / 10) + ") on " + name.data();
  made->check_device(device.create_stream(&made->stream), "making a stream");
  made->check_opening(api.cudnnCreate(&made->handle), "cudnnCreate");
  made->check_opening(api.cudnnSetStream(made->handle, made->stream), "cudnnSetStream");
  // The first call into the part of cuDNN that has the recurrent layers.
  RnnDescriptor layer = nullptr;
  made->check_opening(api.cudnnCreateRNNDescriptor(&layer), "cudnnCreateRNNDescriptor");
  api.cudnnDestroyRNNDescriptor(layer);
  return made;
}

std::unique_ptr<cellproof_cudnn_context> open_context(const cellproof_cudnn_options& options) {
  const DeviceApi& device = real_device();
  const OpenedCudnn opened = open_cudnn();
  // Both reasons, so that nobody mends the one only to meet the other.
  std::string absent = device.absence();
  if (!opened.absent.empty()) absent += (absent.empty() ? "" : "; ") + opened.absent;
  if (!absent.empty()) throw Failure{CELLPROOF_UNAVAILABLE, absent};
  return make_context(opened.api, opened.file, device, options);
}

}  // namespace cellproof::cudnn
