#pragma once

#include <memory>
#include <string>

#include "optimized/cudnn/cudnn_api.hpp"
#include "optimized/cudnn/device_api.hpp"
#include "optimized/cudnn/node.hpp"

/// A device with cuDNN on it, a handle and a stream.
struct cellproof_cudnn_context {
  cellproof::cudnn::CudnnApi api;
  const cellproof::cudnn::DeviceApi* device = nullptr;
  cellproof_cudnn_options options{};
  std::string description;
  int device_number = 0;  ///< that the handle, the stream and all memory are of
  cellproof::cudnn::Handle handle = nullptr;
  void* stream = nullptr;

  cellproof_cudnn_context() = default;
  cellproof_cudnn_context(const cellproof_cudnn_context&) = delete;
  cellproof_cudnn_context& operator=(const cellproof_cudnn_context&) = delete;
  ~cellproof_cudnn_context();

  /// Throws Failure for a status of cuDNN's that is not success: OUT_OF_MEMORY or FAILED, with what was called and
  /// cuDNN's own words.
  void check(cellproof::cudnn::Status status, const char* call) const;
  /// The same of a call by which cuDNN may refuse a layer: where the status says that it does, NOT_SUPPORTED.
  void check_node(cellproof::cudnn::Status status, const char* call) const;
  /// The same of a call that opens the context: a fault of the installation is UNAVAILABLE.
  void check_opening(cellproof::cudnn::Status status, const char* call) const;
  /// The same for the CUDA runtime.
  void check_device(int error, const char* what) const;

 private:
  [[noreturn]] void fail(cellproof_status as, cellproof::cudnn::Status status, const char* call) const;
};

namespace cellproof::cudnn {

/// Makes a context's device the calling thread's as long as this lives: another thread may have another one.
class OnDeviceOf {
 public:
  /// Throws Failure.
  explicit OnDeviceOf(const cellproof_cudnn_context& context);
  OnDeviceOf(const OnDeviceOf&) = delete;
  OnDeviceOf& operator=(const OnDeviceOf&) = delete;
  ~OnDeviceOf();

 private:
  const DeviceApi& device_;
  int before_ = 0;
  bool is_other_ = false;
};

/// A context over functions that are given: the machine's, or a test's. Throws Failure.
std::unique_ptr<cellproof_cudnn_context> make_context(const CudnnApi& api, const std::string& file,
                                                      const DeviceApi& device, const cellproof_cudnn_options& options);

/// Over this machine's device and cuDNN. Throws Failure (UNAVAILABLE, with the reason, where there is none).
std::unique_ptr<cellproof_cudnn_context> open_context(const cellproof_cudnn_options& options);

}  // namespace cellproof::cudnn
