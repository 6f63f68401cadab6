#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::zoo {

/// start + a[0] b[0] + a[1] b[1] + ... in the arithmetic of F, in the order that the style asks for.
template <class F>
class Summer {
 public:
  Summer(Summation order, std::uint64_t seed) : order_(order), engine_(seed) {}

  F operator()(F start, const F* a, const F* b, std::size_t n) {
    switch (order_) {
      case Summation::Sequential:
        return in_order(start, a, b, n, false);
      case Summation::SequentialFma:
        return in_order(start, a, b, n, true);
      case Summation::Reversed:
        return reversed(start, a, b, n);
      case Summation::Pairwise:
        return start + pairwise(a, b, n);
      case Summation::Lanes8:
        return start + lanes<8>(a, b, n);
      case Summation::Lanes16:
        return start + lanes<16>(a, b, n);
      case Summation::Permuted:
        return permuted(start, a, b, n);
      case Summation::Blocked:
        return blocked(start, a, b, n);
      case Summation::Wide:
        return wide(start, a, b, n);
    }
    return start;
  }

 private:
  static F in_order(F sum, const F* a, const F* b, std::size_t n, bool fma) {
    for (std::size_t i = 0; i < n; ++i) sum = fma ? std::fma(a[i], b[i], sum) : sum + a[i] * b[i];
    return sum;
  }
  static F reversed(F start, const F* a, const F* b, std::size_t n) {
    F sum = 0;
    while (n-- > 0) sum += a[n] * b[n];
    return sum + start;
  }
  static F pairwise(const F* a, const F* b, std::size_t n) {
    if (n == 0) return 0;
    if (n == 1) return a[0] * b[0];
    const std::size_t half = n / 2;
    return pairwise(a, b, half) + pairwise(a + half, b + half, n - half);
  }
  template <std::size_t width>
  static F lanes(const F* a, const F* b, std::size_t n) {
    std::array<F, width> lane{};
    for (std::size_t i = 0; i < n; ++i) lane[i % width] = std::fma(a[i], b[i], lane[i % width]);
    for (std::size_t step = width / 2; step > 0; step /= 2) {
      for (std::size_t i = 0; i < step; ++i) lane[i] += lane[i + step];
    }
    return lane[0];
  }
  F permuted(F sum, const F* a, const F* b, std::size_t n) {
    order_of_.resize(n);
    std::iota(order_of_.begin(), order_of_.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(order_of_[i - 1], order_of_[engine_() % i]);
    for (std::size_t i : order_of_) sum += a[i] * b[i];
    return sum;
  }
  static F blocked(F sum, const F* a, const F* b, std::size_t n) {
    for (std::size_t i = 0; i < n; i += 4) sum += in_order(0, a + i, b + i, std::min<std::size_t>(4, n - i), false);
    return sum;
  }
  /// For f32 in f64, where every product is exact; for f64 with the rounding errors of sums and products added up
  /// beside.
  static F wide(F start, const F* a, const F* b, std::size_t n) {
    double sum = start, errors = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double product = static_cast<double>(a[i]) * b[i];
      const double next = sum + product;
      if constexpr (std::is_same_v<F, double>) {
        const double of_product = std::fma(a[i], b[i], -product);
        const double part = next - sum;
        const double of_sum = (sum - (next - part)) + (product - part);
        if (std::isfinite(of_product + of_sum)) errors += of_product + of_sum;
      }
      sum = next;
    }
    return static_cast<F>(sum + errors);
  }

  Summation order_;
  std::mt19937_64 engine_;
  std::vector<std::size_t> order_of_;
};

}  // namespace cellproof::lab::zoo
