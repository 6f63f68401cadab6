#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cellproof::engines {

/// Splits a command into words as a shell does: blanks between them, '...' and "..." and \ to quote. Nothing is
/// expanded and no shell is run. Throws std::invalid_argument for an open quote or a lone \ at the end.
std::vector<std::string> split_command(std::string_view command);

}  // namespace cellproof::engines
