#include "optimized/cpu/elements.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace cellproof::cpu {
namespace {

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<std::uint16_t>((bits >> 16) | 0x40);  // NaN stays NaN
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

float from_float16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1F, mantissa = bits & 0x3FF;
  if (exponent == 0) {  // zero and subnormal: a multiple of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t wide = exponent == 0x1F ? 0xFF : exponent + 127 - 15;
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

std::uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  std::uint32_t result = 0;
  if (magnitude > 0x7F800000) {
    result = 0x7E00 | ((magnitude >> 13) & 0x1FF);
  } else if (magnitude >=
             0x477FF000) {  // from 65520 on, the middle between the largest number and what would follow it
    result = 0x7C00;
  } else if (magnitude < 0x38800000) {  // below 2^-14: in [0.5, 1) float's own unit in the last place is 2^-24
    result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000;
  } else {
    result = ((magnitude + 0xFFF + ((magnitude >> 13) & 1)) >> 13) - (std::uint32_t{127 - 15} << 10);
  }
  return static_cast<std::uint16_t>(sign | result);
}

template <class Stored, class Convert>
void widen_each(const void* data, std::size_t first, std::size_t count, float* result, Convert convert) {
  const auto* stored = static_cast<const Stored*>(data) + first;
  for (std::size_t i = 0; i < count; ++i) result[i] = convert(stored[i]);
}

template <class Stored, class Convert>
void narrow_each(const float* values, std::size_t count, void* data, std::size_t first, Convert convert) {
  auto* stored = static_cast<Stored*>(data) + first;
  for (std::size_t i = 0; i < count; ++i) stored[i] = convert(values[i]);
}

}  // namespace

template <>
void widen(cellproof_type type, const void* data, std::size_t first, std::size_t count, float* result) {
  if (count == 0) return;
  if (type == CELLPROOF_FLOAT16) return widen_each<std::uint16_t>(data, first, count, result, from_float16);
  if (type == CELLPROOF_BFLOAT16) return widen_each<std::uint16_t>(data, first, count, result, from_bfloat16);
  std::memcpy(result, static_cast<const float*>(data) + first, count * sizeof(float));
}

template <>
void widen(cellproof_type, const void* data, std::size_t first, std::size_t count, double* result) {
  if (count > 0) std::memcpy(result, static_cast<const double*>(data) + first, count * sizeof(double));
}

template <>
void narrow(cellproof_type type, const float* values, std::size_t count, void* data, std::size_t first) {
  if (type == CELLPROOF_FLOAT16) return narrow_each<std::uint16_t>(values, count, data, first, to_float16);
  if (type == CELLPROOF_BFLOAT16) return narrow_each<std::uint16_t>(values, count, data, first, to_bfloat16);
  std::memcpy(static_cast<float*>(data) + first, values, count * sizeof(float));
}

template <>
void narrow(cellproof_type, const double* values, std::size_t count, void* data, std::size_t first) {
  std::memcpy(static_cast<double*>(data) + first, values, count * sizeof(double));
}

}  // namespace cellproof::cpu
