#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spec/tensor.hpp"

namespace cellproof::rules {

/// The sizes that the symbols of a shape rule stand for, as far as a node tells them; an unknown size matches anything.
struct Sizes {
  std::optional<std::int64_t> T, N, I, H, D;
  std::optional<std::int64_t> of(char symbol) const;
};

/// Does `shape` fit `rule`, for example "[D,4H,I]" or "[D] or [D,4H]"? Sizes may be anything: no product overflows.
bool fits(std::string_view rule, const Sizes& sizes, const Shape& shape);

/// The rule with its sizes filled in, "[1,20,4]", unknown ones as their symbols.
std::string expected_shape(std::string_view rule, const Sizes& sizes);

}  // namespace cellproof::rules
