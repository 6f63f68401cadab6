#pragma once

#include <array>

#include "optimized/cuda/lane_sums.hpp"

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

/// Sums that all lanes have after the exchange over a distance, of `places` sums each before it.
template <class Part>
std::array<Part, lanes> exchanged(const std::array<Part, lanes>& parts, int places, int distance) {
  std::array<Part, lanes> after{};
  for (int lane = 0; lane < lanes; ++lane) {
    const auto* own = parts.at(static_cast<std::size_t>(lane)).values;
    const auto* other = parts.at(static_cast<std::size_t>(lane ^ distance)).values;
    auto* into = after.at(static_cast<std::size_t>(lane)).values;
    const int half = places / 2;
    for (int j = 0; j < half; ++j)
      into[j] = kept_half(own, half, lane, distance, j) + given_half(other, half, lane ^ distance, distance, j);
    if (half == 0) into[0] = own[0] + other[0];
  }
  return after;
}

/// Takes the terms of a section of group i in, each in its lane.
template <int section, class Body>
void host_section(const Body& body, Index i, std::array<typename Body::Part, lanes>& parts) {
  const Index length = body.template length<section>();
  for (Index k = 0; k < length; ++k)
    if (k / lanes % Body::terms_of_load == 0)
      body.template take<section>(parts.at(static_cast<std::size_t>(k % lanes)), body.template load<section>(i, k));
}

/// Group i of a body of sums (lane_sums.hpp), as a warp makes it.
template <class Body>
void host_group(const Body& body, Index i) {
  using Part = typename Body::Part;
  std::array<Part, lanes> parts{};
  host_section<0>(body, i, parts);
  if constexpr (Body::sections == 2) host_section<1>(body, i, parts);
  int places = Part::places;
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    parts = exchanged(parts, places, distance);
    if (places > 1) places /= 2;
  }
  for (int row = 0; row < Part::rows; ++row) {
    if (!body.finishes(row)) continue;
    typename Part::Value values[Part::gates];
    for (int g = 0; g < Part::gates; ++g) {
      const int lane = lane_of_place(row * Part::width + g, Part::places);
      values[g] = body.value(i, row, g, body.ready(i, row, g), parts.at(static_cast<std::size_t>(lane)).values[0]);
    }
    body.finish(i, row, body.ready(i, row, Body::closing), values);
  }
}

}  // namespace cellproof::cuda
