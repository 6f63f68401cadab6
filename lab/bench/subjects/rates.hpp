#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "optimized/cpu/kernels.hpp"

namespace cellproof::lab::bench {

/// Bare loops of one vector width. Each does what it is given so many times and returns how much it has done.
struct BareLoops {
  const char* name;
  /// Independent fused multiply-adds of floats in registers; how many.
  double (*multiply_adds)(std::size_t times);
  /// Products of 8-bit integers added to 32-bit sums in registers, by the instruction that our engine uses; how many.
  double (*byte_multiply_adds)(std::size_t times);
  /// The same of bfloat16 and float sums. Where our engine widens bfloat16, those of floats.
  double (*bfloat16_multiply_adds)(std::size_t times);
  /// Reads all of the memory, whose size is a multiple of 512 bytes; how many bytes.
  double (*read)(std::span<const std::byte> memory);
  const cpu::Kernels<float>& functions;
};

/// The widest of this processor.
const BareLoops& best_loops();

/// Only where the processor has what they are named after.
const BareLoops& avx2_loops();
const BareLoops& avx512_loops();

/// As those of BareLoops, in AMX's tiles.
double byte_multiply_adds_in_tiles(std::size_t times);
double bfloat16_multiply_adds_in_tiles(std::size_t times);

}  // namespace cellproof::lab::bench
