#include "optimized/cudnn/device_api.hpp"

namespace cellproof::cudnn {

// Only absence() can ever be called: a context is not opened over an absent device.
const DeviceApi& real_device() {
  static const DeviceApi device{.absence = [] { return "built without CUDA: " CELLPROOF_CUDA_WHY_NOT; }};
  return device;
}

}  // namespace cellproof::cudnn
