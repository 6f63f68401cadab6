#include "cli/damage.hpp"

#include <fmt/format.h>

#include "spec/utf8.hpp"

namespace cellproof::cli {

void print_damage(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print(stderr, "cellproof: {}; left out\n", visible_text(line));
}

}  // namespace cellproof::cli
