// The product of one row and the cell together, against the two apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/testing/node_case.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu::testing {
namespace {

template <class Real>
std::vector<const Kernels<Real>*> kernels_with_lstm_of_row() {
  std::vector<const Kernels<Real>*> result;
#if CELLPROOF_CPU_SIMD
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX2) == '\0') result.push_back(&avx2_kernels<Real>());
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX512) == '\0') result.push_back(&avx512_kernels<Real>());
#endif
  std::erase_if(result, [](const Kernels<Real>* kernels) { return kernels->lstm_of_row == nullptr; });
  return result;
}

template <class Real>
Buffer<Real> filled(std::size_t count, std::uint64_t seed) {
  const std::vector<Real> values = numbers<Real>(count, seed);
  Buffer<Real> buffer(count);
  std::copy(values.begin(), values.end(), buffer.data());
  return buffer;
}

template <class Real>
class LstmOfRow : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LstmOfRow, Reals);

TYPED_TEST(LstmOfRow, HasTheBitsOfTheProductAndTheCell) {
  using Real = TypeParam;
  const Activation sigmoid{Function::Sigmoid, 0, 0}, tanh{Function::Tanh, 0, 0}, relu{Function::Relu, 0, 0};
  const Functions<Real> by_default{&sigmoid, &tanh, &tanh, static_cast<Real>(INFINITY)};
  const Functions<Real> others{&sigmoid, &relu, &tanh, 1};
  if (kernels_with_lstm_of_row<Real>().empty()) GTEST_SKIP() << "no kernels of this machine have it";
  for (const Kernels<Real>* kernels : kernels_with_lstm_of_row<Real>()) {
    const std::size_t lanes = kernels->lanes, length = 37;
    for (const std::size_t units : {std::size_t{1}, lanes - 1, lanes, lanes + 1, 3 * lanes, 3 * lanes + 2}) {
      const std::size_t vectors = (4 * units + lanes - 1) / lanes, stride = (units + lanes - 1) / lanes * lanes;
      const Buffer<Real> weights = filled<Real>(vectors * lanes * length, 1), x = filled<Real>(length, 2);
      const Buffer<Real> input = filled<Real>((vectors + 1) * lanes, 3), P = filled<Real>(3 * stride, 4);
      const Real* const row = x.data();
      for (const bool is_default : {true, false}) {
        const auto states = [&](const auto& make) {
          Buffer<Real> c = filled<Real>(stride, 5), h(stride), out((vectors + 1) * lanes);
          const Real* peepholes = is_default ? nullptr : P.data();
          const Multiplication<Real> m{&row, 1, weights.data(), vectors, 4, length, nullptr, out.data(), 0};
          const LstmStep<Real> step{{input.data(), 0, out.data(), 0, 1, units},
                                    is_default ? by_default : others,
                                    peepholes,
                                    peepholes ? peepholes + stride : nullptr,
                                    peepholes ? peepholes + 2 * stride : nullptr,
                                    false,
                                    c.data(),
                                    h.data(),
                                    stride};
          make(m, step);
          std::vector<Real> result(c.data(), c.data() + units);
          result.insert(result.end(), h.data(), h.data() + units);
          return result;
        };
        const auto apart = states([&](const Multiplication<Real>& m, const LstmStep<Real>& step) {
          kernels->multiply_row(m);
          kernels->lstm(step);
        });
        for (const bool backwards : {false, true})
          EXPECT_EQ(states([&](const Multiplication<Real>& m, const LstmStep<Real>& step) {
                      kernels->lstm_of_row(m, step, backwards);
                    }),
                    apart)
              << "lanes " << lanes << ", units " << units << ", backwards " << backwards;
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::cpu::testing
