#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spec/case.hpp"

namespace cellproof::text {

/// Inputs, and outputs, that a line can name.
inline constexpr std::size_t most_positions = 64;

/// The formal name at a position, "input12" (for `beyond` = "input") behind the operator's last.
std::string position_name(std::span<const std::string_view> names, std::string_view beyond, std::size_t position);

/// "given,seed:7": presence, then what differs from plain_input. Larger literal tensors as write_literal has them.
std::string write_input(const Case& c, std::size_t position, const std::optional<std::filesystem::path>& directory);
/// Reads it into c.inputs[position]; type, sizes, direction and layout of `c` have been read before. Throws Expected.
void read_input(Case& c, std::size_t position, std::string_view value);

/// "Y,-,Y_c", "none"
std::string write_outputs(const Case& c);
void read_outputs(Case& c, std::string_view value);

}  // namespace cellproof::text
