#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "optimized/cudnn/cudnn_api.hpp"

namespace cellproof::cudnn {

inline std::size_t bytes_of(int type) {
  return type == data::float64 ? 8 : type == data::float32 ? 4 : 2;
}

/// Element `i` of an array of cuDNN's type.
inline double element_at(const void* array, std::size_t i, int type) {
  const char* const at = static_cast<const char*>(array) + i * bytes_of(type);
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  if (type == data::float64) return as(double{});
  if (type == data::float32) return as(float{});
  if (type == data::float16) return static_cast<double>(as(_Float16{}));
  return std::bit_cast<float>(static_cast<std::uint32_t>(as(std::uint16_t{})) << 16);
}

/// To nearest, ties to even.
inline void set_element(void* array, std::size_t i, int type, double value) {
  char* const at = static_cast<char*>(array) + i * bytes_of(type);
  const auto put = [&](auto narrow) { std::memcpy(at, &narrow, sizeof narrow); };
  if (type == data::float64) return put(value);
  if (type == data::float32) return put(static_cast<float>(value));
  if (type == data::float16) return put(static_cast<_Float16>(value));
  if (std::isnan(value)) return put(std::uint16_t{0x7FC0});
  // From a double in two roundings; the first one is to odd, so that the second one is right.
  float wide = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(wide);
  if (static_cast<double>(wide) != value && std::isfinite(wide)) {
    if (std::fabs(static_cast<double>(wide)) > std::fabs(value)) --bits;
    bits |= 1;
  }
  put(static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16));
}

}  // namespace cellproof::cudnn
