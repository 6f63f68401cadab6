#include <algorithm>
#include <functional>

#include "fuzz/law.hpp"
#include "fuzz/laws/laws.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::span<const Law> (*families[])() = {absent_laws,    calls_laws,        directions_laws,
                                                  gates_laws,     permutations_laws, presentation_laws,
                                                  quantised_laws, scales_laws,       time_laws};

std::vector<Law> all_families() {
  std::vector<Law> list;
  for (const auto& family : families) list.insert(list.end(), family().begin(), family().end());
  std::ranges::sort(list, std::less(), &Law::id);
  return list;
}

}  // namespace

std::span<const Law> laws() {
  static const std::vector<Law> list = all_families();
  return list;
}

}  // namespace cellproof::fuzz
