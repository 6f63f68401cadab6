#pragma once

#include <cstddef>
#include <cstdint>

namespace cellproof::oracle {

/// The index that a size or a count of the case means in a container. ONNX counts with signed numbers, the library does
/// not.
constexpr std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace cellproof::oracle
