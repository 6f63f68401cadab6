#include <fmt/format.h>

#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"

namespace cellproof::corpus::catalogue {
namespace {

struct Sizes {
  std::int64_t T, N, I, H;
};

/// Ones, widths of vector registers (8, 16 floats), their neighbours and what lies between and beyond; within a case
/// all different, and no case large.
constexpr std::array list_of_sizes{
    Sizes{1, 7, 4, 6},   Sizes{7, 8, 3, 5},   Sizes{8, 9, 3, 5},   Sizes{9, 11, 3, 4},  Sizes{13, 16, 3, 4},
    Sizes{16, 17, 3, 4}, Sizes{17, 18, 3, 4}, Sizes{19, 1, 3, 4},  Sizes{3, 2, 1, 7},   Sizes{3, 2, 7, 8},
    Sizes{3, 2, 8, 9},   Sizes{3, 2, 9, 15},  Sizes{3, 2, 15, 16}, Sizes{3, 2, 16, 17}, Sizes{3, 2, 17, 1},
    Sizes{2, 3, 33, 5},  Sizes{2, 3, 4, 33},
};

}  // namespace

void add_sizes(OperatorVersion version, CaseList& list) {
  const auto add = [&](const Sizes& sizes) {
    Case c = rich(version);
    c.T = sizes.T;
    c.N = sizes.N;
    c.I = sizes.I;
    c.H = sizes.H;
    c.attributes.hidden_size = sizes.H;
    list.add(fmt::format("rich,T={},N={},I={},H={}", c.T, c.N, c.I, c.H), c);
  };
  for (const auto& sizes : list_of_sizes) add(sizes);
}

}  // namespace cellproof::corpus::catalogue
