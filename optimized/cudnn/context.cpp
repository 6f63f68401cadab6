#include "optimized/cudnn/context.hpp"

#include <algorithm>
#include <array>
#include <string_view>

cellproof_cudnn_context::~cellproof_cudnn_context() {
  if (handle != nullptr) api.cudnnDestroy(handle);
  if (stream != nullptr) device->destroy_stream(stream);
}

void cellproof_cudnn_context::check(cellproof::cudnn::Status status, const char* call) const {
  namespace codes = cellproof::cudnn::status;
  if (status == codes::success) return;
  // The condition that failed, in cuDNN's own source text: several lines, of which one is made.
  std::array<char, 512> why{};
  api.cudnnGetLastErrorString(why.data(), why.size() - 1);
  std::string text = std::string(call) + ": " + api.cudnnGetErrorString(status) + " (" + std::to_string(status) + ")";
  if (why[0] != '\0') text += std::string(": ") + why.data();
  std::ranges::replace(text, '\n', ' ');
  const bool no_memory = status == codes::device_allocation_failed || status == codes::host_allocation_failed;
  throw cellproof::cudnn::Failure{no_memory                                         ? CELLPROOF_CUDNN_OUT_OF_MEMORY
                                  : codes::category(status) == codes::not_supported ? CELLPROOF_CUDNN_NOT_SUPPORTED
                                                                                    : CELLPROOF_CUDNN_FAILED,
                                  text};
}

void cellproof_cudnn_context::check_device(int error, const char* what) const {
  if (error == 0) return;
  throw cellproof::cudnn::Failure{
      error == cellproof::cudnn::device_out_of_memory ? CELLPROOF_CUDNN_OUT_OF_MEMORY : CELLPROOF_CUDNN_FAILED,
      std::string(what) + ": " + device->error_text(error) + " (" + std::to_string(error) + ")"};
}

namespace cellproof::cudnn {

std::unique_ptr<cellproof_cudnn_context> make_context(const CudnnApi& api, const std::string& file,
                                                      const DeviceApi& device, const cellproof_cudnn_options& options) {
  auto made = std::make_unique<cellproof_cudnn_context>();
  made->api = api;
  made->device = &device;
  made->options = options;
  std::array<char, 300> name{};
  made->check_device(device.describe(name.data(), name.size()), "looking at the device");
  made->description = "cuDNN " + version_text(api.cudnnGetVersion()) + " (" + file + ") on " + name.data();
  made->check_device(device.create_stream(&made->stream), "making a stream");
  made->check(api.cudnnCreate(&made->handle), "cudnnCreate");
  made->check(api.cudnnSetStream(made->handle, made->stream), "cudnnSetStream");
  return made;
}

std::unique_ptr<cellproof_cudnn_context> open_context(const cellproof_cudnn_options& options) {
  // The device first: opening cuDNN takes much longer than to learn that there is none.
  const DeviceApi& device = real_device();
  if (const std::string_view absent = device.absence(); !absent.empty())
    throw Failure{CELLPROOF_CUDNN_ABSENT, std::string(absent)};
  const OpenedCudnn opened = open_cudnn();
  if (!opened.absent.empty()) throw Failure{CELLPROOF_CUDNN_ABSENT, opened.absent};
  return make_context(opened.api, opened.file, device, options);
}

}  // namespace cellproof::cudnn
