#include "reports/html/markup.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reports/grouping.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

/// Strokes on a 16 x 16 grid, one shape per kind, different enough to be told apart without colour.
constexpr std::array<std::string_view, finding_kind_count> shapes{
    "M4 4l8 8M12 4l-8 8",                                         // Wrong: a cross
    "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",                            // Crash: a bolt
    "M8 2a6 6 0 1 0 .01 0M8 5v3.5l2.5 1.5",                       // Hang: a clock
    "M3 5h10v6H3zM5 5V3M8 5V3M11 5V3M5 13v-2M8 13v-2M11 13v-2",   // OutOfMemory: a chip
    "M3 3h10v10H3zM6 6v.1M10 6v.1M6 10v.1M10 10v.1",              // Flaky: a die
    "M8 2l6.5 11.5h-13zM8 6.5v3M8 11.4v.4",                       // Misconduct: a warning sign
    "M8 2L3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4zM6 6l4 4M10 6l-4 4",    // AcceptedInvalid: a broken shield
    "M2 6c2-3 4-3 6 0s4 3 6 0M2 11c2-3 4-3 6 0s4 3 6 0",          // Imprecise: waves
    "M6 2h4v3l3 6v3H3v-3l3-6z",                                   // HarnessError: a flask
    "M4 2h5l3 3v9H4zM6 8l4 4M10 8l-4 4",                          // Unreadable: a torn file
    "M3 8h10",                                                    // Gap: a dash
    "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.2 8.7 8 9.2 8 10M8 12.6v.4",  // Undecided: a question mark
    "M8 14V9M8 9L4 3M8 9l4-6",                                    // Reading: a fork
    "M3 8.5l3.5 3.5L13 4.5",                                      // Conforms: a tick
    "M8 3a5 5 0 1 0 .01 0M4.5 11.5l7-7",                          // Absent: an empty set
};

}  // namespace

std::string icon_definitions() {
  std::string out = "<svg width=\"0\" height=\"0\" class=\"definitions\" aria-hidden=\"true\">";
  for (const FindingKindInfo& kind : finding_kinds())
    out += fmt::format("<symbol id=\"i-{}\" viewBox=\"0 0 16 16\"><path d=\"{}\"/></symbol>", kind.id,
                       shapes[static_cast<std::size_t>(kind.kind)]);
  return out + "</svg>\n";
}

std::string icon(FindingKind kind, std::string_view title) {
  const std::string_view id = info(kind).id;
  if (title.empty())
    return fmt::format("<svg class=\"icon k-{0}\" aria-hidden=\"true\"><use href=\"#i-{0}\"/></svg>", id);
  return fmt::format("<svg class=\"icon k-{0}\" role=\"img\"><title>{1}</title><use href=\"#i-{0}\"/></svg>", id,
                     html_escape(title));
}

std::string number(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e7)
    return thousands(static_cast<std::size_t>(std::llround(size))).insert(0, value < 0 ? "-" : "");
  return fmt::format("{:.3g}", value);
}

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", html_escape(text));
}

std::string condition(std::string_view text) {
  if (text.empty()) return "";
  return fmt::format(" <span class=\"condition{}\">{}</span>", text == nothing_to_blame ? " in-words" : "",
                     html_escape(text));
}

std::string foldable(std::string_view text, std::size_t characters) {
  constexpr std::size_t longest = 4000;
  const std::string head = shortened(text, characters);
  if (head.size() == repaired_utf8(text).size()) return html_escape(head);
  return fmt::format("<details class=\"long\"><summary>{}</summary><pre tabindex=\"0\">{}</pre></details>",
                     html_escape(head), html_escape(shortened(text, longest)));
}

std::string scrolling(std::string_view label, std::string_view inside) {
  return fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>",
                     html_escape(label), inside);
}

std::string anchor(std::string_view text) {
  std::string id = "e-";
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    id += plain ? std::string(1, c) : fmt::format("_{:02x}", static_cast<unsigned char>(c));
  }
  return id;
}

}  // namespace cellproof::reports::html
