// Rates that AMX's tiles can reach at most: a loop of nothing but products of tiles that stay in their registers.
#include <algorithm>
#include <cstdint>

#include "lab/bench/subjects/rates.hpp"

namespace cellproof::lab::bench {
namespace {

constexpr std::size_t rows = 16, bytes_of_row = 64, sums_at_once = 4;

/// All eight tiles as large as they can be, and filled with zeros.
class WholeTiles {
 public:
  WholeTiles() {
    std::fill_n(bytes_, 8, std::uint16_t{bytes_of_row});
    std::fill_n(rows_, 8, std::uint8_t{rows});
    asm volatile("ldtilecfg %0" : : "m"(*this));
  }
  WholeTiles(const WholeTiles&) = delete;
  WholeTiles& operator=(const WholeTiles&) = delete;
  ~WholeTiles() { asm volatile("tilerelease"); }

 private:
  alignas(64) std::uint8_t palette_ = 1;
  std::uint8_t start_row_ = 0, reserved_[14] = {};
  std::uint16_t bytes_[16] = {};
  std::uint8_t rows_[16] = {};
};

constexpr std::size_t groups_of_row = bytes_of_row / 4;

/// Multiply-adds of so many products of tiles, `factors` to each group of four bytes.
double done(std::size_t times, std::size_t factors) {
  return static_cast<double>(times * sums_at_once * rows * rows * groups_of_row * factors);
}

}  // namespace

double byte_multiply_adds_in_tiles(std::size_t times) {
  const WholeTiles tiles;
  for (std::size_t i = 0; i < times; ++i)
    asm volatile(
        "tdpbusd %tmm6, %tmm4, %tmm0\n"
        "tdpbusd %tmm7, %tmm4, %tmm1\n"
        "tdpbusd %tmm6, %tmm5, %tmm2\n"
        "tdpbusd %tmm7, %tmm5, %tmm3\n");
  return done(times, 4);
}

double bfloat16_multiply_adds_in_tiles(std::size_t times) {
  const WholeTiles tiles;
  for (std::size_t i = 0; i < times; ++i)
    asm volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n"
        "tdpbf16ps %tmm7, %tmm4, %tmm1\n"
        "tdpbf16ps %tmm6, %tmm5, %tmm2\n"
        "tdpbf16ps %tmm7, %tmm5, %tmm3\n");
  return done(times, 2);
}

}  // namespace cellproof::lab::bench
