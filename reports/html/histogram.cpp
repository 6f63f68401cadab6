#include "reports/html/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr double full_width = 320, full_height = 118, base = 84, ceiling = 8;

/// Binary fractions as such: "1/16".
std::string edge_name(double edge) {
  if (edge == 0) return "0";
  if (edge < 1 && std::log2(edge) == std::floor(std::log2(edge))) return fmt::format("1/{}", 1 / edge);
  return fmt::format("{}", edge);
}

}  // namespace

std::string histogram(const std::vector<double>& values, const std::vector<double>& edges, double limit,
                      std::string_view label) {
  std::vector<std::size_t> bins(edges.size() + 1);
  for (const double value : values) {
    const auto bin = std::isnan(value) ? edges.end() : std::lower_bound(edges.begin(), edges.end(), value);
    ++bins[static_cast<std::size_t>(bin - edges.begin())];
  }
  const double most = static_cast<double>(std::max<std::size_t>(1, *std::max_element(bins.begin(), bins.end())));
  const double pitch = full_width / static_cast<double>(bins.size());
  std::string bars;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const bool last = i == edges.size();
    const std::string name = last ? "more" : edge_name(edges[i]);
    const double x = pitch * static_cast<double>(i);
    if (bins[i] > 0) {
      const double tall = std::max(2.0, (base - ceiling) * std::sqrt(static_cast<double>(bins[i]) / most));
      bars += fmt::format(
          "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{} {}: {}"
          "</title></rect>",
          last || edges[i] > limit ? "over" : "within", x + 1, base - tall, pitch - 2, tall, last ? "above" : "up to",
          last ? edge_name(edges.back()) : name, counted(bins[i], "case"));
    }
    bars += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x + pitch / 2,
                        base + 14, name);
  }
  return fmt::format(
      "<svg class=\"histogram\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">"
      "<line class=\"grid\" x1=\"0\" x2=\"{0}\" y1=\"{3}\" y2=\"{3}\"/>{4}"
      "<text class=\"axis\" x=\"{0}\" y=\"{5}\" text-anchor=\"end\">{2}</text></svg>",
      full_width, full_height, html_escape(label), base, bars, full_height - 2);
}

}  // namespace cellproof::reports::html
