#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cellproof {

/// XXH64 (seed 0) as 16 lower-case hex digits: the name of cases, literal tensors and corpora. Not cryptographic.
std::string content_hash(std::span<const std::byte> bytes);
std::string content_hash(std::string_view text);

}  // namespace cellproof
