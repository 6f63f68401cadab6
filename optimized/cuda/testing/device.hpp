#pragma once

#include <gtest/gtest.h>

#include <array>

#include "optimized/cuda/cellproof_cuda.h"

namespace cellproof::cuda::testing {

/// A test on a device: skipped by name and with the reason where there is none.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<char, 256> why{};
    const auto status = cellproof_cuda_probe(CELLPROOF_CUDA_DEVICE, why.data(), why.size());
    if (status == CELLPROOF_UNAVAILABLE) GTEST_SKIP() << why.data();
    ASSERT_EQ(status, CELLPROOF_OK) << why.data();
  }
};

}  // namespace cellproof::cuda::testing
