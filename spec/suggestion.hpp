#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cellproof {

/// Returns the candidate that a mistyped word most likely stands for, "" where none is near: at most one letter in
/// three may be missing, added, wrong or exchanged with its neighbour.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// The end of a complaint about a word that is none of those: "did you mean smoke? Expected one of quick, smoke", or
/// "expected one of ..." where none is near.
std::string expected_one_of(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace cellproof
