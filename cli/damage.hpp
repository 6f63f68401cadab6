#pragma once

#include <string>
#include <vector>

namespace cellproof::cli {

/// Names on stderr, a line each, what is damaged in a store and left out.
void print_damage(const std::vector<std::string>& lines);

}  // namespace cellproof::cli
