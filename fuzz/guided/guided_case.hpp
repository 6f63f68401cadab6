#pragma once

#include <cstdint>
#include <string_view>

#include "engines/probe.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// Cases that belong together: one that is drawn, and those that are made of it.
constexpr std::uint64_t guided_group = 8;

struct GuidedCase {
  Case c;
  std::string_view move = "drawn";  ///< or the move that made it
};

/// Case `number` of an endless search that moves values to boundary values. Each group begins with a case drawn at
/// random, in most of which one function has edges, or a clip. The others aim the arguments of its gates at clip
/// limits, knots, saturation and cancellation (aim.hpp), put quantised inputs on ties, make states subnormal and
/// recurrences grow. They start from what the engine answers to the drawn one: `ask` is called for that alone, and not
/// for the first of a group. So a case depends on seed, number and that answer, and shards and resumed runs fit
/// together. Valid.
GuidedCase guided_case(std::uint64_t seed, std::uint64_t number, const engines::Probe& ask);

}  // namespace cellproof::fuzz
