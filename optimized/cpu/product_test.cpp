// Packing of weights on every set of kernels against plain loops.
#include "optimized/cpu/product.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu {
namespace {

template <class Real>
struct Table {
  const char* name;
  const Kernels<Real>& kernels;
};

template <class Real>
std::vector<Table<Real>> tables() {
  std::vector<Table<Real>> result{{"scalar", scalar_kernels<Real>()}};
#if CELLPROOF_CPU_SIMD
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX2) == '\0') result.push_back({"avx2", avx2_kernels<Real>()});
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX512) == '\0')
    result.push_back({"avx512", avx512_kernels<Real>()});
#endif
  return result;
}

template <class Real>
class Pack : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Pack, Reals);

TYPED_TEST(Pack, PutsEveryElementBesideThoseOfTheOtherRows) {
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes;
    for (std::size_t length = 0; length < 40; ++length) {
      const std::size_t row_stride = length + 3, out_stride = 3 * lanes;
      std::vector<TypeParam> rows(lanes * row_stride + 1);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<TypeParam>(i + 1);
      Buffer<TypeParam> out((length + 1) * out_stride);
      // From an odd place: a tensor need not be aligned to vectors.
      EXPECT_TRUE(table.kernels.pack(rows.data() + 1, row_stride, length, out.data(), out_stride));
      for (std::size_t k = 0; k <= length; ++k)
        for (std::size_t place = 0; place < out_stride; ++place)
          ASSERT_EQ(out[k * out_stride + place],
                    k < length && place < lanes ? rows[1 + place * row_stride + k] : TypeParam(0))
              << table.name << ", length " << length << ", k " << k << ", place " << place;
    }
  }
}

TYPED_TEST(Pack, TellsWhereverSomethingIsNotFinite) {
  constexpr auto infinity = std::numeric_limits<TypeParam>::infinity();
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes, length = 19;
    for (std::size_t place = 0; place < lanes * length; ++place) {
      for (const TypeParam special : {infinity, -infinity, std::numeric_limits<TypeParam>::quiet_NaN()}) {
        std::vector<TypeParam> rows(lanes * length, std::numeric_limits<TypeParam>::max());
        rows[place] = special;
        Buffer<TypeParam> out(length * lanes);
        ASSERT_FALSE(table.kernels.pack(rows.data(), length, length, out.data(), lanes))
            << table.name << ", place " << place;
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::cpu
