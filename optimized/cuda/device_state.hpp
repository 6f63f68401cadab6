#pragma once

#include <string>

namespace cellproof::cuda {

/// The runtime's answer when it is asked for devices. Versions as CUDA writes them: 13020 is 13.2.
struct DeviceAnswer {
  int error;  ///< a cudaError_t
  std::string error_text;
  int devices;
  int driver_version;  ///< 0: there is no driver
  int runtime_version;
};

enum class DeviceState { Usable, Absent, Failing };

struct DeviceReport {
  DeviceState state;
  std::string why;  ///< one line where it is not usable
};

/// No driver, one that is too old and no device are absence; every other error is a failure.
DeviceReport report_of(const DeviceAnswer& answer);

/// A device of that compute capability can run our code, or is too old for it.
DeviceReport report_of_capability(int major, int minor);

}  // namespace cellproof::cuda
