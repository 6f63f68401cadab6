#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spec/case.hpp"

namespace cellproof {

/// The axes that are sizes.
inline constexpr std::array<std::string_view, 4> size_names{"T", "N", "I", "H"};

/// T, N, I or H of a case, by the name of its axis. Throws std::invalid_argument for another name.
std::int64_t size_of(const Case& c, std::string_view size);

/// The case with another T, N, I or H; what hangs together with it follows as it does for the axes (spec/axes.hpp). But
/// where it becomes smaller, a literal tensor that had the type and shape of its place keeps its first elements along
/// that dimension (H: those of each gate) rather than being generated. Throws std::invalid_argument for an unknown
/// name.
Case resized(const Case& c, std::string_view size, std::int64_t value);

/// The same, but what is kept are the elements at these places along the dimension, ascending and below the size.
Case with_kept(const Case& c, std::string_view size, std::span<const std::int64_t> places);

/// Places along a size at which some literal tensor of the case is not 0 (H: in any gate), ascending.
std::vector<std::int64_t> places_used(const Case& c, std::string_view size);

}  // namespace cellproof
