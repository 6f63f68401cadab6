#include "reports/html/coverage_map.hpp"

#include <fmt/format.h>

#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t pitch = 15;    ///< of the cells, which are one unit smaller
constexpr std::size_t margin = 152;  ///< for the names of axes, at the left and above

std::size_t position(std::size_t k) {
  return margin + k * pitch;
}

/// Ninths, so that the page needs few words: 9 is all, 0 is none, and what is neither looks like neither.
std::size_t ninths(std::size_t part, std::size_t whole) {
  if (part == 0 || part == whole) return part == 0 ? 0 : 9;
  const std::size_t share = (9 * part + whole / 2) / whole;
  return share < 1 ? 1 : share > 8 ? 8 : share;
}

std::string cell(std::size_t column, std::size_t row, const char* kind, std::size_t share, const std::string& words) {
  const std::string title = words.empty() ? "" : fmt::format("<title>{}</title>", html_escape(words));
  return fmt::format("<use href=\"#pair\" x=\"{}\" y=\"{}\" class=\"{} s{}\">{}</use>", position(column), position(row),
                     kind, share, title);
}

std::string words_of(const Coverage& coverage, std::size_t a, std::size_t b, const TupleCounts& counts) {
  std::string words = fmt::format("{} x {}: of {} {} passed", coverage.axes[a], coverage.axes[b],
                                  counted(counts.possible, "pair"), counts.passed);
  if (counts.undecided > 0) words += fmt::format(", {} undecided", counts.undecided);
  if (counts.failing > 0) words += fmt::format(", {} fail", counts.failing);
  if (counts.refused > 0) words += fmt::format(", {} refused", counts.refused);
  if (counts.covered() < counts.possible) words += fmt::format(", {} not tried", counts.possible - counts.covered());
  return words;
}

}  // namespace

std::string coverage_map(const Coverage& coverage) {
  const std::size_t count = coverage.axes.size();
  const std::size_t size = position(count) + 2;
  std::string drawing;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string axis = html_escape(coverage.axes[k]);
    drawing += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", margin - 5, position(k) + 11, axis);
    drawing +=
        fmt::format("<text transform=\"translate({} {}) rotate(-90)\">{}</text>", position(k) + 11, margin - 5, axis);
  }
  for (std::size_t b = 1; b < count; ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const TupleCounts& counts = coverage.cells[b * (b - 1) / 2 + a];
      if (counts.possible == 0) continue;
      const std::string words = words_of(coverage, a, b, counts);
      const bool plain = counts.passed == counts.possible;  // nothing to tell
      drawing += cell(a, b, "passed", ninths(counts.passed, counts.possible), plain ? "" : words);
      if (counts.failing > 0) {
        drawing += cell(b, a, "failing", ninths(counts.failing, counts.possible), words);
      } else if (counts.undecided > 0) {
        drawing += cell(b, a, "undecided", ninths(counts.undecided, counts.possible), words);
      }
    }
  }
  return fmt::format(
      "<svg class=\"pairs\" viewBox=\"0 0 {0} {0}\" width=\"{0}\" height=\"{0}\" role=\"img\" aria-label=\"{1}\">{2}"
      "</svg>",
      size, html_escape(fmt::format("Pairs of {} on {}", name(coverage.op), coverage.engine)), drawing);
}

}  // namespace cellproof::reports::html
