#pragma once

#include <cstdint>

#include "spec/element_type.hpp"

namespace cellproof {

/// IEEE 754 round-to-nearest-even conversions between double and the narrow formats, in integer arithmetic of our own:
/// no compiler extension, no libm, the same bits on every machine. NaN becomes a quiet NaN that keeps its sign;
/// overflow becomes infinity; subnormals are exact (never flushed).
std::uint16_t float16_bits(double value);
std::uint16_t bfloat16_bits(double value);
std::uint32_t float_bits(double value);

/// The exact value of the given bits; every value of these formats is a double.
double float16_value(std::uint16_t bits);
double bfloat16_value(std::uint16_t bits);
double float_value(std::uint32_t bits);

/// `value` rounded once to the given floating-point type (nearest, ties to even), as a double.
double round_to(ElementType type, double value);

/// The next number of the type above one that is of the type; infinity stays.
double next_up(ElementType type, double value);

}  // namespace cellproof
