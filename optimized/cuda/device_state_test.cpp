#include "optimized/cuda/device_state.hpp"

#include <gtest/gtest.h>

namespace cellproof::cuda {
namespace {

// As a machine without a driver answers, one with an old driver, and so on; the numbers are CUDA's error codes.
constexpr int success = 0, invalid_value = 1, stub_library = 34, insufficient_driver = 35, no_device = 100;

DeviceReport report(int error, int devices, int driver) {
  return report_of({error, "the error's text", devices, driver, 13000});
}

TEST(CudaDeviceState, TellsAbsenceFromFailure) {
  EXPECT_EQ(report(success, 1, 13020).state, DeviceState::Usable);
  EXPECT_EQ(report(success, 0, 13020).state, DeviceState::Absent);
  EXPECT_EQ(report(no_device, -1, 13020).state, DeviceState::Absent);
  EXPECT_EQ(report(stub_library, -1, 0).state, DeviceState::Absent);
  EXPECT_EQ(report(insufficient_driver, -1, 0).state, DeviceState::Absent);
  EXPECT_EQ(report(insufficient_driver, -1, 12040).state, DeviceState::Absent);
  EXPECT_EQ(report(invalid_value, 1, 13020).state, DeviceState::Failing);
  EXPECT_EQ(report_of_capability(9, 0).state, DeviceState::Usable);
  EXPECT_EQ(report_of_capability(8, 0).state, DeviceState::Usable);
  EXPECT_EQ(report_of_capability(7, 5).state, DeviceState::Absent);
}

TEST(CudaDeviceState, SaysWhy) {
  EXPECT_EQ(report(success, 1, 13020).why, "");
  EXPECT_EQ(report(no_device, -1, 13020).why, "the NVIDIA driver shows no device");
  EXPECT_EQ(report(insufficient_driver, -1, 0).why, "there is no NVIDIA driver (libcuda.so.1)");
  EXPECT_EQ(report(insufficient_driver, -1, 12040).why,
            "the NVIDIA driver is too old: it serves CUDA 12.4, 13.0 is needed");
  EXPECT_EQ(report(stub_library, -1, 0).why, "there is no NVIDIA driver, only the toolkit's stub of its library");
  EXPECT_EQ(report(invalid_value, 1, 13020).why, "the CUDA device fails: the error's text");
  EXPECT_EQ(report_of_capability(7, 5).why, "the CUDA device is too old: its compute capability is 7.5, 8.0 is needed");
}

}  // namespace
}  // namespace cellproof::cuda
