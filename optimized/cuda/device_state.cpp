#include "optimized/cuda/device_state.hpp"

namespace cellproof::cuda {
namespace {

// Values of cudaError_t, which is not there in a build without the toolkit.
constexpr int success = 0, stub_library = 34, insufficient_driver = 35, no_device = 100;
constexpr int oldest_major = 8;  // Cuda.cmake compiles for no older one

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

DeviceReport report_of(const DeviceAnswer& answer) {
  switch (answer.error) {
    case success:
      if (answer.devices > 0) return {DeviceState::Usable, ""};
      return {DeviceState::Absent, "the NVIDIA driver shows no device"};
    case no_device:
      return {DeviceState::Absent, "the NVIDIA driver shows no device"};
    case stub_library:
      return {DeviceState::Absent, "there is no NVIDIA driver, only the toolkit's stub of its library"};
    case insufficient_driver:
      if (answer.driver_version == 0) return {DeviceState::Absent, "there is no NVIDIA driver (libcuda.so.1)"};
      return {DeviceState::Absent, "the NVIDIA driver is too old: it serves CUDA " +
                                       version_text(answer.driver_version) + ", " +
                                       version_text(answer.runtime_version) + " is needed"};
    default:
      return {DeviceState::Failing, "the CUDA device fails: " + answer.error_text};
  }
}

DeviceReport report_of_capability(int major, int minor) {
  if (major >= oldest_major) return {DeviceState::Usable, ""};
  return {DeviceState::Absent, "the CUDA device is too old: its compute capability is " + std::to_string(major) + "." +
                                   std::to_string(minor) + ", " + std::to_string(oldest_major) + ".0 is needed"};
}

}  // namespace cellproof::cuda
