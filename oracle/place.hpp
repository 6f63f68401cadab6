#pragma once

#include <cstddef>
#include <cstdint>

namespace cellproof::oracle {

/// Place of a value element.
struct Place {
  std::size_t output = 0;
  std::int64_t rank = 0, d = 0, b = 0, j = 0;
};

}  // namespace cellproof::oracle
