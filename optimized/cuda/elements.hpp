#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/cuda/host_device.hpp"

namespace cellproof::cuda {

/// Storage of the elements of a floating-point tensor.
enum class Storage : std::int32_t { Float16, BFloat16, Float, Double };

/// Calls work(std::integral_constant) of a storage that is known only now.
template <class Work>
auto with_storage(Storage storage, Work work) {
  switch (storage) {
    case Storage::Float16:
      return work(std::integral_constant<Storage, Storage::Float16>{});
    case Storage::BFloat16:
      return work(std::integral_constant<Storage, Storage::BFloat16>{});
    case Storage::Float:
      return work(std::integral_constant<Storage, Storage::Float>{});
    case Storage::Double:
      break;
  }
  return work(std::integral_constant<Storage, Storage::Double>{});
}

CELLPROOF_HD inline std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

CELLPROOF_HD inline float float_of(std::uint32_t bits) {
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// 2^exponent for exponents of normal numbers.
CELLPROOF_HD inline float power_of_two(int exponent) {
  return float_of(static_cast<std::uint32_t>(exponent + 127) << 23);
}

CELLPROOF_HD inline float widened_half(std::uint16_t stored) {
#ifdef __CUDA_ARCH__
  float widened = 0;
  asm("cvt.f32.f16 %0, %1;" : "=f"(widened) : "h"(stored));  // exact, and one instruction
  return widened;
#else
  const int exponent = (stored >> 10) & 31, fraction = stored & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = float_of(0x7F800000u | (static_cast<std::uint32_t>(fraction) << 13));
  } else if (exponent == 0) {
    magnitude = static_cast<float>(fraction) * power_of_two(-24);
  } else {
    magnitude = static_cast<float>(1024 + fraction) * power_of_two(exponent - 25);
  }
  return (stored & 0x8000) != 0 ? -magnitude : magnitude;
#endif
}

/// Rounded to nearest, ties to even; every scaling by a power of two is exact.
CELLPROOF_HD inline std::uint16_t rounded_half(float value) {
  const std::uint32_t bits = bits_of(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
  const float magnitude = float_of(bits & 0x7FFFFFFF);
  if (magnitude != magnitude) return static_cast<std::uint16_t>(sign | 0x7E00);
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (magnitude < power_of_two(-14))
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::rint(magnitude * power_of_two(24))));
  const int exponent = static_cast<int>((bits >> 23) & 255) - 127;
  const int scaled = static_cast<int>(std::rint(magnitude * power_of_two(10 - exponent)));  // 1024 to 2048
  return static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + scaled - 1024));
}

CELLPROOF_HD inline float widened_bfloat(std::uint16_t stored) {
  return float_of(static_cast<std::uint32_t>(stored) << 16);
}

/// Rounded to nearest, ties to even.
CELLPROOF_HD inline std::uint16_t rounded_bfloat(float value) {
  const std::uint32_t bits = bits_of(value), kept = bits >> 16, rest = bits & 0xFFFF;
  if (value != value) return static_cast<std::uint16_t>((kept & 0x8000) | 0x7FC0);
  const bool up = rest > 0x8000 || (rest == 0x8000 && (kept & 1) != 0);
  return static_cast<std::uint16_t>(kept + (up ? 1 : 0));
}

/// Terms of bfloat16, 8 bits each, that a float's 24 are split into.
inline constexpr Index split_terms = 3;

/// Takes the leading bits of a float away as a bfloat16, cut towards zero so that none overflows, and leaves the rest,
/// exactly. What is infinite or NaN is so in the first term, and nothing is left of it.
CELLPROOF_HD inline std::uint16_t next_bfloat(float& rest) {
  const float value = rest;
  if (value != value || value - value != 0) {  // NOLINT(misc-redundant-expression): NaN or infinite, in device code
    rest = 0;
    return rounded_bfloat(value);
  }
  const auto term = static_cast<std::uint16_t>(bits_of(value) >> 16);
  rest = value - widened_bfloat(term);
  return term;
}

/// Element `at` of stored data, exactly. A double tensor is only read as double, all others only as float.
template <class Real>
CELLPROOF_HD Real load(Storage storage, const void* data, Index at) {
  switch (storage) {
    case Storage::Float16:
      return static_cast<Real>(widened_half(static_cast<const std::uint16_t*>(data)[at]));
    case Storage::BFloat16:
      return static_cast<Real>(widened_bfloat(static_cast<const std::uint16_t*>(data)[at]));
    case Storage::Float:
      return static_cast<Real>(static_cast<const float*>(data)[at]);
    case Storage::Double:
      break;
  }
  return static_cast<Real>(static_cast<const double*>(data)[at]);
}

/// Rounds once.
template <class Real>
CELLPROOF_HD void store(Storage storage, void* data, Index at, Real value) {
  switch (storage) {
    case Storage::Float16:
      static_cast<std::uint16_t*>(data)[at] = rounded_half(static_cast<float>(value));
      return;
    case Storage::BFloat16:
      static_cast<std::uint16_t*>(data)[at] = rounded_bfloat(static_cast<float>(value));
      return;
    case Storage::Float:
      static_cast<float*>(data)[at] = static_cast<float>(value);
      return;
    case Storage::Double:
      static_cast<double*>(data)[at] = static_cast<double>(value);
      return;
  }
}

}  // namespace cellproof::cuda
