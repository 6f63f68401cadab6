// 16-bit elements on every set of kernels against the portable conversions.
#include "optimized/cpu/elements.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "optimized/cpu/kernels.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu::testing {
namespace {

std::vector<const Kernels<float>*> sets_of_kernels() {
  std::vector<const Kernels<float>*> sets{&scalar_kernels<float>()};
#if CELLPROOF_CPU_SIMD
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX2) == '\0') sets.push_back(&avx2_kernels<float>());
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX512) == '\0') sets.push_back(&avx512_kernels<float>());
#endif
  return sets;
}

/// Bits, with the signalling NaNs as quiet ones: a processor makes them quiet where it widens them.
std::uint32_t quiet_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7FFFFFFF) > 0x7F800000 ? bits | 0x400000 : bits;
}

constexpr cellproof_type types[] = {CELLPROOF_FLOAT16, CELLPROOF_BFLOAT16};

TEST(Elements, AreWidenedAlikeByAllKernels) {
  std::vector<std::uint16_t> all(65536 + 5);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  for (const Kernels<float>* kernels : sets_of_kernels())
    for (const cellproof_type type : types) {
      std::vector<float> expected(65536), widened(65536 + 1, -1.0F);
      widen(type, all.data(), 5, expected.size(), expected.data());
      kernels->widen(type, all.data(), 5, expected.size(), widened.data());
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(quiet_bits(widened[i]), quiet_bits(expected[i])) << "type " << type << ", bits " << all[5 + i];
      EXPECT_EQ(widened.back(), -1.0F) << "written past the end";
    }
}

TEST(Elements, AreNarrowedAlikeByAllKernels) {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFF; bits += 4093)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper)  // near the middles, and infinities and NaNs
    for (const std::uint32_t lower : {0x0U, 0x0FFFU, 0x1000U, 0x1001U, 0x3000U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU})
      values.push_back(std::bit_cast<float>(upper << 16 | lower));
  for (const Kernels<float>* kernels : sets_of_kernels())
    for (const cellproof_type type : types) {
      std::vector<std::uint16_t> expected(values.size() + 3, 7), narrowed(values.size() + 3, 7);
      narrow(type, values.data(), values.size(), expected.data(), 2);
      kernels->narrow(type, values.data(), values.size(), narrowed.data(), 2);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(narrowed[i], expected[i]) << "type " << type << ", element " << i;
    }
}

}  // namespace
}  // namespace cellproof::cpu::testing
