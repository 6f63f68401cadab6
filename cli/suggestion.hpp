#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cellproof::cli {

/// Returns the candidate that a mistyped word most likely stands for, "" where none is near: at most one letter in
/// three may be missing, added, wrong or exchanged with its neighbour.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace cellproof::cli
