#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "spec/tensor.hpp"

namespace cellproof::text {

/// Bytes up to which a literal tensor stands in the line itself.
inline constexpr std::size_t largest_literal = 4096;

/// A tensor as one field of an input: "values:5/3/0" for a few integers, "hex:0000803f", "file:PATH#HASH" beyond 4 KiB.
/// Type and shape stand before the value ("hex:float:1x2:...") where they are not the ones that the case gives. A
/// file's name is its HASH.bin in `directory`; it is written there, whole or not at all, or only named where there is
/// no directory. Throws std::runtime_error when it cannot be written.
std::string write_literal(const Tensor& tensor, ElementType type, const Shape& shape,
                          const std::optional<std::filesystem::path>& directory);

/// Is this field ("hex:...") a literal tensor?
bool is_literal(std::string_view field);

/// Reads such a field. Relative paths start at the current directory. Throws Expected (spec/text_value.hpp).
Tensor read_literal(std::string_view field, ElementType type, const Shape& shape);

}  // namespace cellproof::text
