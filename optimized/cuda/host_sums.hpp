#pragma once

#include "optimized/cuda/host_device.hpp"

namespace cellproof::cuda {

/// Sum i of a body (products.hpp), as a warp makes it.
template <class Body>
void host_sum(const Body& body, Index i) {
  typename Body::Part parts[lanes]{};
  const Index length = body.length();
  for (Index k = 0; k < length; ++k) body.add(parts[k % lanes], i, k);
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    for (int lane = 0; lane < distance; ++lane) parts[lane].merge(parts[lane + distance]);
  body.finish(i, parts[0]);
}

}  // namespace cellproof::cuda
