#pragma once

#include <string>
#include <string_view>

namespace cellproof {

/// SHA-256 (FIPS 180-4) as 64 lower-case hex digits: for what others are to check with tools of their own.
std::string sha256(std::string_view text);

}  // namespace cellproof
