// Rates that a core can reach at most: loops of nothing but the operation in question, once for each width of vector.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/bench/subjects/rates_simd.cpp"
#include <hwy/foreach_target.h>
// Highway finds the targets first, then the loops are written for each.
#include <hwy/highway.h>

#include "lab/bench/subjects/rates.hpp"
#include "optimized/cpu/kernels_simd.hpp"
#include "optimized/cpu/simd_pairs-inl.hpp"
#include "optimized/cpu/simd_words-inl.hpp"

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable loops

HWY_BEFORE_NAMESPACE();
namespace cellproof::lab::bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Enough independent sums to hide the latency of an addition on two units, few enough to stay in registers.
constexpr std::size_t sums_at_once = 12;

/// Keeps what a loop has computed from being optimised away.
inline volatile float sink;

HWY_NOINLINE double MultiplyAdds(std::size_t times) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  V sums[sums_at_once];
  for (std::size_t s = 0; s < sums_at_once; ++s) sums[s] = hn::Set(d, static_cast<float>(s));
  const V half = hn::Set(d, 0.5F), one = hn::Set(d, 1.0F);
  for (std::size_t i = 0; i < times; ++i)
#pragma GCC unroll 12
    for (std::size_t s = 0; s < sums_at_once; ++s) sums[s] = hn::MulAdd(sums[s], half, one);
  V all = sums[0];
  for (std::size_t s = 1; s < sums_at_once; ++s) all = hn::Add(all, sums[s]);
  sink = hn::GetLane(all);
  return static_cast<double>(times * sums_at_once * hn::Lanes(d));
}

#if HWY_TARGET == HWY_AVX2
HWY_NOINLINE double ByteMultiplyAddsOfWords(std::size_t times) {
  namespace ours = cpu::HWY_NAMESPACE;
  constexpr std::size_t rows = ours::tile_of_words, vectors = cpu::word_vectors;
  const ours::Sums d;
  HWY_ALIGN std::int16_t row[cpu::word_group] = {1, 2, 3, 4};
  ours::VectorOfWords weights[vectors][2];
  hn::Vec<ours::Sums> sums[rows][vectors];
#pragma GCC unroll 4
  for (auto& of_row : sums)
#pragma GCC unroll 2
    for (std::size_t v = 0; v < vectors; ++v) of_row[v] = hn::Zero(d);
#pragma GCC unroll 2
  for (auto& vector : weights) vector[0] = vector[1] = hn::Set(ours::Words(), static_cast<std::int16_t>(3));
  for (std::size_t i = 0; i < times; ++i)
#pragma GCC unroll 4
    for (auto& of_row : sums) ours::AddRow(reinterpret_cast<const std::uint8_t*>(row), weights, of_row);
  auto all = hn::Zero(d);
#pragma GCC unroll 4
  for (const auto& of_row : sums)
#pragma GCC unroll 2
    for (std::size_t v = 0; v < vectors; ++v) all = hn::Add(all, of_row[v]);
  sink = static_cast<float>(hn::GetLane(all));
  return static_cast<double>(times * rows * vectors * hn::Lanes(d) * cpu::word_group);
}
#endif

#if HWY_TARGET == HWY_AVX3
HWY_NOINLINE double ByteMultiplyAddsByPairs(std::size_t times) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Repartition<std::int16_t, decltype(d)> pairs;
  using V = hn::Vec<decltype(d)>;
  V sums[sums_at_once];
  for (std::size_t s = 0; s < sums_at_once; ++s) sums[s] = hn::Set(d, static_cast<std::int32_t>(s));
  V unused = hn::Zero(d);
  auto a = hn::Set(pairs, static_cast<std::int16_t>(3));
  for (std::size_t i = 0; i < times; ++i)
#pragma GCC unroll 12
    for (std::size_t s = 0; s < sums_at_once; ++s)
      sums[s] = hn::ReorderWidenMulAccumulate(d, a, hn::BitCast(pairs, sums[s]), sums[s], unused);
  V all = sums[0];
  for (std::size_t s = 1; s < sums_at_once; ++s) all = hn::Add(all, sums[s]);
  sink = static_cast<float>(hn::GetLane(all));
  return static_cast<double>(times * sums_at_once * hn::Lanes(d) * 2);
}

HWY_NOINLINE double ByteMultiplyAddsByQuads(std::size_t times) {
  const hn::ScalableTag<std::int32_t> d;
  using V = hn::Vec<decltype(d)>;
  V sums[sums_at_once];
// Every loop unrolled: else the sums have addresses, and gcc keeps them in memory.
#pragma GCC unroll 12
  for (std::size_t s = 0; s < sums_at_once; ++s) sums[s] = hn::Set(d, static_cast<std::int32_t>(s));
  const V a = hn::Set(d, 0x01020304), b = hn::Set(d, 0x04030201);
  for (std::size_t i = 0; i < times; ++i)
#pragma GCC unroll 12
    for (std::size_t s = 0; s < sums_at_once; ++s)
      asm("vpdpbusd %2, %1, %0" : "+v"(sums[s].raw) : "v"(a.raw), "v"(b.raw));
  V all = sums[0];
#pragma GCC unroll 12
  for (std::size_t s = 1; s < sums_at_once; ++s) all = hn::Add(all, sums[s]);
  sink = static_cast<float>(hn::GetLane(all));
  return static_cast<double>(times * sums_at_once * hn::Lanes(d) * 4);
}

HWY_NOINLINE double BFloat16MultiplyAdds(std::size_t times) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  V sums[sums_at_once];
#pragma GCC unroll 12
  for (std::size_t s = 0; s < sums_at_once; ++s) sums[s] = hn::Set(d, static_cast<float>(s));
  const hn::Repartition<std::uint16_t, decltype(d)> halves;
  const V one = hn::BitCast(d, hn::Set(halves, 0x3F80));
  for (std::size_t i = 0; i < times; ++i)
#pragma GCC unroll 12
    for (std::size_t s = 0; s < sums_at_once; ++s) cpu::HWY_NAMESPACE::PairOfBFloat16::Add(one, one, sums[s]);
  V all = sums[0];
#pragma GCC unroll 12
  for (std::size_t s = 1; s < sums_at_once; ++s) all = hn::Add(all, sums[s]);
  sink = hn::GetLane(all);
  return static_cast<double>(times * sums_at_once * hn::Lanes(d) * 2);
}
#endif

HWY_NOINLINE double Read(std::span<const std::byte> memory) {
  const hn::ScalableTag<std::int32_t> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d), count = memory.size() / sizeof(std::int32_t);
  const auto* const from = reinterpret_cast<const std::int32_t*>(memory.data());
  V sums[8];
  for (V& sum : sums) sum = hn::Zero(d);
  for (std::size_t i = 0; i + 8 * lanes <= count; i += 8 * lanes)
#pragma GCC unroll 8
    for (std::size_t s = 0; s < 8; ++s) sums[s] = hn::Add(sums[s], hn::LoadU(d, from + i + s * lanes));
  V all = sums[0];
  for (std::size_t s = 1; s < 8; ++s) all = hn::Add(all, sums[s]);
  sink = static_cast<float>(hn::GetLane(all));
  return static_cast<double>(count / (8 * lanes) * (8 * lanes) * sizeof(std::int32_t));
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::lab::bench
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace cellproof::lab::bench {
const BareLoops& avx2_loops() {
  static const BareLoops loops{
      "AVX2",       N_AVX2::MultiplyAdds,      N_AVX2::ByteMultiplyAddsOfWords, N_AVX2::MultiplyAdds,
      N_AVX2::Read, cpu::avx2_kernels<float>()};
  return loops;
}

const BareLoops& avx512_loops() {
  const bool vnni = __builtin_cpu_supports("avx512vnni");
  // As our engine chooses: Intel's processors multiply floats faster than pairs.
  const bool bf16 = __builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("intel");
  static const BareLoops loops{"AVX-512",
                               N_AVX3::MultiplyAdds,
                               vnni ? N_AVX3::ByteMultiplyAddsByQuads : N_AVX3::ByteMultiplyAddsByPairs,
                               bf16 ? N_AVX3::BFloat16MultiplyAdds : N_AVX3::MultiplyAdds,
                               N_AVX3::Read,
                               cpu::avx512_kernels<float>()};
  return loops;
}

}  // namespace cellproof::lab::bench
#endif
