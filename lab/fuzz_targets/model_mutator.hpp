#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cellproof::fuzz {

/// A serialised ModelProto with one field changed, drawn by the seed: an integer, number or text out of a list of
/// troublesome ones, a field cleared, an element of a list doubled, moved or removed. Bytes that are no ModelProto come
/// back as a small valid model.
std::string mutated_model(std::string_view serialized, std::uint64_t seed);

}  // namespace cellproof::fuzz
