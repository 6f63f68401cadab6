#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cellproof {

/// Element types that a tensor can hold. Int64 exists only so that invalid cases (int64 sequence lengths) can be
/// written.
enum class ElementType : std::uint8_t { Float16, BFloat16, Float, Double, Int8, UInt8, Int32, Int64 };

/// All element types, in declaration order.
std::span<const ElementType> all_element_types();

/// ONNX's own name of the type as in `tensor(NAME)`: "float16", "bfloat16", "float", "double", "int8", "uint8",
/// "int32", "int64".
std::string_view onnx_name(ElementType type);

/// The inverse of onnx_name; nullopt for a name that is none of them.
std::optional<ElementType> element_type_named(std::string_view name);

/// Bytes per element.
std::size_t size_of(ElementType type);

bool is_floating_point(ElementType type);

/// A binary interchange format: values are m * 2^e with `precision` significant bits.
struct FloatFormat {
  int precision;         ///< significant bits, the hidden one included: 11, 8, 24, 53
  int min_exponent;      ///< exponent of the smallest normal number: -14, -126, -126, -1022
  int max_exponent;      ///< exponent of the largest finite number: 15, 127, 127, 1023
  double max_finite;     ///< largest finite value
  double min_normal;     ///< 2^min_exponent
  double min_subnormal;  ///< 2^(min_exponent - precision + 1)
  double unit_roundoff;  ///< u = 2^-precision
};

/// The format of a floating-point type. Throws std::invalid_argument for an integer type.
const FloatFormat& float_format(ElementType type);

}  // namespace cellproof
