#include "optimized/cuda/backend.hpp"

// In place of device_backend.cpp where no device code is compiled.

namespace cellproof::cuda {
namespace {

[[noreturn]] void refuse() {
  throw Unavailable("built without nvcc: " CELLPROOF_CUDA_WHY_NOT);
}

}  // namespace

std::unique_ptr<Backend> make_device_backend() {
  refuse();
}

std::string describe_device() {
  refuse();
}

void probe_device() {
  refuse();
}

}  // namespace cellproof::cuda
