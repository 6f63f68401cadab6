#pragma once

#include <cuda_runtime.h>

#include "optimized/cuda/lane_sums.hpp"
#include "optimized/cuda/products.hpp"

// Sums by a warp, for kernels (products.hpp, lane_sums.hpp).

namespace cellproof::cuda {

inline constexpr unsigned threads = 256, warps = threads / lanes;  ///< of every block

/// The part of the lane `distance` further on, word by word.
template <class Part>
__device__ Part from_lane(const Part& part, int distance) {
  constexpr int words = sizeof(Part) / sizeof(int);
  static_assert(sizeof(Part) % sizeof(int) == 0 && alignof(Part) >= alignof(int), "a part is shuffled word by word");
  union Words {
    Part part;
    int words[sizeof(Part) / sizeof(int)];
    __device__ Words() {}
  } own, other;
  own.part = part;
#pragma unroll
  for (int w = 0; w < words; ++w) other.words[w] = __shfl_down_sync(~0u, own.words[w], distance);
  return other.part;
}

/// Sum i, by one warp. `at_once`: terms whose loads a lane does not wait for one by one.
template <int at_once, class Body>
__device__ void warp_sum(const Body& body, Index i, int lane) {
  typename Body::Part part{};
  const Index length = body.length();
#pragma unroll at_once
  for (Index k = lane; k < length; k += lanes) body.add(part, i, k);
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) part.merge(from_lane(part, distance));
  if (lane == 0) body.finish(i, part);
}

/// Takes the terms of a section in. `at_once`: terms that are asked for before the first of them is waited for.
template <int section, int at_once, class Body>
__device__ void take_section(const Body& body, typename Body::Part& part, Index i, int lane) {
  constexpr int loads = at_once / Body::terms_of_load, span = Body::terms_of_load * lanes;
  const Index length = body.template length<section>();
  for (Index begin = lane; begin < length; begin += at_once * lanes) {
    typename Body::Terms terms[loads];
#pragma unroll
    for (int u = 0; u < loads; ++u)
      if (begin + u * span < length) terms[u] = body.template load<section>(i, begin + u * span);
#pragma unroll
    for (int u = 0; u < loads; ++u)
      if (begin + u * span < length) body.template take<section>(part, terms[u]);
  }
}

/// The whole sum of place lane / (lanes / places), merged with all other lanes' (lane_sums.hpp).
template <int places, int distance, class Real>
__device__ Real merged_places(Real* values, int lane) {
  constexpr int half = places / 2;
  if constexpr (distance == 0) {
    return values[0];
  } else if constexpr (half == 0) {
    values[0] += __shfl_xor_sync(~0u, values[0], distance);
    return merged_places<1, distance / 2>(values, lane);
  } else {
#pragma unroll
    for (int j = 0; j < half; ++j)
      values[j] = kept_half(values, half, lane, distance, j) +
                  __shfl_xor_sync(~0u, given_half(values, half, lane, distance, j), distance);
    return merged_places<half, distance / 2>(values, lane);
  }
}

/// Terms that a lane asks for at once: as many as registers hold without spilling.
template <class Body>
constexpr int terms_at_once = sizeof(typename Body::Part::Value) == sizeof(double) ? 4 : 8;

/// Group i of a body of sums, by one warp: each gate of a row is a lane's, and its closing gate's lane finishes the
/// row. Other lanes that have the same sum compute the same, so that fewer branches part them, and give nothing away.
template <class Body>
__device__ void warp_group(const Body& body, Index i, int lane) {
  using Part = typename Body::Part;
  using Value = typename Part::Value;
  constexpr int at_once = terms_at_once<Body>, lanes_of_each = lanes_of_place(Part::places);
  const int place = lane / lanes_of_each, row = place / Part::width, gate = place % Part::width;
  const bool takes_part = gate < Part::gates && body.finishes(row);
  typename Body::Ready ready{};
  if (takes_part) ready = body.ready(i, row, gate);
  Part part{};
  take_section<0, at_once>(body, part, i, lane);
  if constexpr (Body::sections == 2) take_section<1, at_once>(body, part, i, lane);
  const Value sum = merged_places<Part::places, lanes / 2>(part.values, lane);
  Value value = 0;
  if (takes_part) value = body.value(i, row, gate, ready, sum);
  Value values[Part::gates];
#pragma unroll
  for (int g = 0; g < Part::gates; ++g)
    values[g] = __shfl_sync(~0u, value, lane_of_place(row * Part::width + g, Part::places));
  if (takes_part && gate == Body::closing && lane % lanes_of_each == 0) body.finish(i, row, ready, values);
}

}  // namespace cellproof::cuda
