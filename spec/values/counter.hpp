#pragma once

#include <cstdint>
#include <string_view>

namespace cellproof {

/// A counter-based generator: each 64-bit word is a pure function of (seed, name, index, draw), so that elements can be
/// made in any order and nothing that one tensor does shifts another.
class Counter {
 public:
  Counter(std::uint64_t seed, std::string_view name) : key_(mix(mix(seed + weyl) ^ digest(name))) {}

  /// A well mixed word; `draw` (0 to 15) tells several words of one element apart.
  std::uint64_t word(std::uint64_t index, unsigned draw) const { return mix(key_ + weyl * (index * 16 + draw + 1)); }

  /// A point of [0, 1) that is far from those of all other indices: with n points no two are closer than about 0.38 / n
  /// (multiples of the golden ratio). Hence elements that are different for certain, not with luck.
  double spread(std::uint64_t index) const { return fraction(key_ + weyl * index); }

  /// The word's upper 53 bits as a number in [0, 1).
  static double fraction(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

 private:
  /// 2^64 divided by the golden ratio, made odd.
  static constexpr std::uint64_t weyl = 0x9E3779B97F4A7C15;

  /// A bijection of 64-bit words in which each bit of the argument reaches each bit of the result (two rounds of
  /// xor-shift and odd multiplication; the constants are those of Stafford's thirteenth variant).
  static constexpr std::uint64_t mix(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
  }

  static constexpr std::uint64_t digest(std::string_view text) {
    std::uint64_t result = text.size();
    for (const char c : text) result = mix(result * 257 + static_cast<unsigned char>(c));
    return result;
  }

  std::uint64_t key_;
};

}  // namespace cellproof
