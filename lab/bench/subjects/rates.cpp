#include "lab/bench/subjects/rates.hpp"

#include <cstring>

#include "optimized/cpu/cellproof_cpu.h"

namespace cellproof::lab::bench {
namespace {

constexpr std::size_t portable_sums = 16;  // as many as a compiler that knows no wide vectors keeps at once

volatile float portable_sink;

double portable_multiply_adds(std::size_t times) {
  float sums[portable_sums] = {};
  for (std::size_t i = 0; i < times; ++i)
    for (float& sum : sums) sum = sum * 0.5F + 1.0F;
  for (const float sum : sums) portable_sink = sum;
  return static_cast<double>(times * portable_sums);
}

double portable_byte_multiply_adds(std::size_t times) {
  std::int32_t sums[portable_sums] = {};
  for (std::size_t i = 0; i < times; ++i)
    for (std::int32_t& sum : sums) sum += static_cast<std::int8_t>(sum) * static_cast<std::int32_t>(i & 0xFF);
  for (const std::int32_t sum : sums) portable_sink = static_cast<float>(sum);
  return static_cast<double>(times * portable_sums);
}

double portable_read(std::span<const std::byte> memory) {
  std::uint64_t sums[4] = {};
  const std::size_t step = sizeof sums;
  for (std::size_t i = 0; i + step <= memory.size(); i += step) {
    std::uint64_t words[4];
    std::memcpy(words, memory.data() + i, step);
    for (std::size_t k = 0; k < 4; ++k) sums[k] += words[k];
  }
  portable_sink = static_cast<float>(sums[0] + sums[1] + sums[2] + sums[3]);
  return static_cast<double>(memory.size());
}

const BareLoops& portable_loops() {
  static const BareLoops loops{"portable C++",         portable_multiply_adds, portable_byte_multiply_adds,
                               portable_multiply_adds, portable_read,          cpu::scalar_kernels<float>()};
  return loops;
}

bool can(cellproof_cpu_path path) {
  return *cellproof_cpu_path_missing(path) == '\0';
}

}  // namespace

const BareLoops& best_loops() {
#if CELLPROOF_CPU_SIMD
  if (can(CELLPROOF_CPU_PATH_AMX)) {
    static const BareLoops loops = [] {
      BareLoops all = avx512_loops();
      all.name = "AVX-512 and AMX";
      all.byte_multiply_adds = byte_multiply_adds_in_tiles;
      all.bfloat16_multiply_adds = bfloat16_multiply_adds_in_tiles;
      return all;
    }();
    return loops;
  }
  if (can(CELLPROOF_CPU_PATH_AVX512)) return avx512_loops();
  if (can(CELLPROOF_CPU_PATH_AVX2)) return avx2_loops();
#endif
  return portable_loops();
}

}  // namespace cellproof::lab::bench
