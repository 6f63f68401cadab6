#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::fuzz {

/// Values of `fuzz --only`: the names of the suites without end, less what they begin with.
inline constexpr std::array<std::string_view, 4> endless_kinds{"judged", "guided", "invalid", "laws"};

/// Suites without end, whose cases depend on the seed:
/// - fuzz-judged: small cases of the whole space, drawn at random;
/// - fuzz-guided: cases whose values are moved to boundary values (guided/guided_case.hpp);
/// - fuzz-invalid: small cases with one rule broken;
/// - fuzz-laws: the laws in turn, each on a case that is drawn for laws, of which it speaks where one is soon found.
/// `kinds`: some of endless_kinds, none means all. `laws`: those of fuzz-laws, none means all; to name some asks for no
/// other suite. Throws std::invalid_argument that lists what there is.
std::vector<corpus::Suite> endless_suites(std::uint64_t seed, const std::vector<std::string>& kinds,
                                          const std::vector<std::string>& laws);

}  // namespace cellproof::fuzz
