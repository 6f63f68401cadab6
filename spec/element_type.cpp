#include "spec/element_type.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr std::array element_types = {ElementType::Float16, ElementType::BFloat16, ElementType::Float,
                                      ElementType::Double,  ElementType::Int8,     ElementType::UInt8,
                                      ElementType::Int32,   ElementType::Int64};
constexpr NameTable<element_types.size()> type_names = {"float16", "bfloat16", "float", "double",
                                                        "int8",    "uint8",    "int32", "int64"};
constexpr std::array<std::size_t, element_types.size()> sizes = {2, 2, 4, 8, 1, 1, 4, 8};

constexpr FloatFormat formats[] = {
    {11, -14, 15, 65504.0, 0x1p-14, 0x1p-24, 0x1p-11},
    {8, -126, 127, 0x1.fep127, 0x1p-126, 0x1p-133, 0x1p-8},
    {24, -126, 127, 0x1.fffffep127, 0x1p-126, 0x1p-149, 0x1p-24},
    {53, -1022, 1023, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074, 0x1p-53},
};

}  // namespace

std::span<const ElementType> all_element_types() {
  return element_types;
}

std::string_view onnx_name(ElementType type) {
  return type_names.at(static_cast<std::size_t>(type));
}

std::optional<ElementType> element_type_named(std::string_view name) {
  return find_name<ElementType>(type_names, name);
}

std::size_t size_of(ElementType type) {
  return sizes.at(static_cast<std::size_t>(type));
}

bool is_floating_point(ElementType type) {
  return type <= ElementType::Double;
}

const FloatFormat& float_format(ElementType type) {
  if (!is_floating_point(type)) {
    throw std::invalid_argument("float_format: " + std::string(onnx_name(type)) + " is not a floating-point type");
  }
  return formats[static_cast<std::size_t>(type)];
}

}  // namespace cellproof
