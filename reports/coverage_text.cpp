#include <fmt/format.h>

#include <algorithm>

#include "reports/coverage.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

std::string part_of(const TupleCounts& counts) {
  std::string text = fmt::format("{} of {} tried, {} run", percentage(counts.covered(), counts.possible),
                                 thousands(counts.possible), percentage(counts.supported(), counts.possible));
  if (counts.undecided > 0) text += fmt::format(", {} undecided", thousands(counts.undecided));
  if (counts.failing > 0) text += fmt::format(", {} fail", thousands(counts.failing));
  return text;
}

/// ", 99.1 % of 1,204 of supported values run".
std::string part_of_supported(const Coverage& row) {
  if (row.pairs_of_supported == 0) return "";
  return fmt::format(", {} of {} of supported values run", percentage(row.pairs.supported(), row.pairs_of_supported),
                     thousands(row.pairs_of_supported));
}

}  // namespace

std::string percentage(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  if (part == 0 || part == whole) return part == 0 ? "0 %" : "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.1f} %", std::clamp(percent, 0.1, 99.9));
}

std::string coverage_text(const std::vector<Coverage>& coverage) {
  std::size_t width = 0;
  for (const Coverage& row : coverage) width = std::max(width, visible_text(row.engine).size());
  std::string text;
  for (const Coverage& row : coverage) {
    text += fmt::format("{:<{}}  {:<19}  pairs: {}{}; triples: {}\n", visible_text(row.engine), width, name(row.op),
                        part_of(row.pairs), part_of_supported(row), part_of(row.triples));
  }
  return text;
}

}  // namespace cellproof::reports
