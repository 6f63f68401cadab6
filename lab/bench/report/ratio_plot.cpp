#include "lab/bench/report/ratio_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reports/plain_text.hpp"

namespace cellproof::lab::bench {
namespace {

constexpr double plot_width = 940, label_width = 300, plot_right = 24, axis_height = 26, pitch = 24;
constexpr int most_doublings = 8;  // what is slower sits at the edge, and its title says by how much

/// A subject is told by the form of its mark as well as by its colour.
constexpr std::array<const char*, 6> mark_colours{"ink", "accent", "good", "wrong", "crash", "undecided"};

std::string mark(std::size_t kind, double x, double y, const std::string& title) {
  const std::string style = fmt::format("class=\"mark m-{}\"", mark_colours.at(kind % mark_colours.size()));
  const std::string inside = fmt::format("<title>{}</title>", reports::html_escape(title));
  switch (kind % mark_colours.size()) {
    case 0:
      return fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\">{}</circle>", style, x, y, inside);
    case 1:
      return fmt::format("<rect {} x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\">{}</rect>", style, x - 4, y - 4,
                         inside);
    case 2:
      return fmt::format("<path {} d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\">{}</path>", style, x, y - 5, inside);
    case 3:
      return fmt::format("<path {} d=\"M{:.1f} {:.1f}l5 9h-10z\">{}</path>", style, x, y - 5, inside);
    case 4:
      return fmt::format("<path {} d=\"M{:.1f} {:.1f}l5 -9h-10z\">{}</path>", style, x, y + 5, inside);
    default:
      return fmt::format("<path {0} fill=\"none\" d=\"M{1:.1f} {2:.1f}l8 8m0 -8l-8 8\">{3}</path>", style, x - 4, y - 4,
                         inside);
  }
}

/// Names in the order in which they first appear.
std::vector<std::string> names_of(const std::vector<const BenchRow*>& rows) {
  std::vector<std::string> names;
  for (const BenchRow* row : rows)
    for (const BenchSubject& c : row->subjects)
      if (c.ratio && std::ranges::find(names, c.name) == names.end()) names.push_back(c.name);
  return names;
}

struct Axis {
  int low = -1, high = 1;  ///< powers of two

  explicit Axis(const std::vector<const BenchRow*>& rows) {
    const auto include = [this](const std::optional<Spread>& ratio) {
      if (!ratio || !(ratio->median > 0) || !std::isfinite(ratio->median)) return;
      low = std::min(low, static_cast<int>(std::floor(std::log2(ratio->median))));
      high = std::max(high, static_cast<int>(std::ceil(std::log2(ratio->median))));
    };
    for (const BenchRow* row : rows) {
      for (const BenchSubject& c : row->subjects) include(c.ratio);
      if (row->limit) include(row->limit->ratio);
    }
    low = std::max(low, -most_doublings);
    high = std::min(high, most_doublings);
  }

  double x(double ratio) const {
    const double share = ratio > 0 ? (std::log2(ratio) - low) / (high - low) : 0;
    return label_width + std::clamp(share, 0.0, 1.0) * (plot_width - label_width - plot_right);
  }
};

std::string power_name(int power) {
  return power < 0 ? fmt::format("1/{}", 1 << -power) : fmt::format("{}", 1 << power);
}

std::string axis_lines(const Axis& axis, double height) {
  std::string out;
  for (int power = axis.low; power <= axis.high; ++power) {
    const double x = axis.x(std::exp2(power));
    out += fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>"
        "<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        power == 0 ? "grid even" : "grid", x, x, axis_height - 6, height, x, axis_height - 12, power_name(power));
  }
  return out;
}

std::string row_marks(const BenchRow& row, const std::vector<std::string>& names, const Axis& axis, double y) {
  std::string out = fmt::format("<text class=\"row-name\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                                label_width - 12, y + 4, reports::html_escape(row.name));
  if (row.limit && row.limit->ratio)
    out += fmt::format(
        "<path class=\"limit\" d=\"M{:.1f} {:.1f}v16\"><title>machine&#39;s limit: {:.2f} of the first "
        "subject&#39;s "
        "time, {}</title></path>",
        axis.x(row.limit->ratio->median), y - 8, row.limit->ratio->median, duration_text(row.limit->seconds.median));
  for (const BenchSubject& c : row.subjects) {
    if (!c.ratio || !c.seconds) continue;
    const auto kind = static_cast<std::size_t>(std::ranges::find(names, c.name) - names.begin());
    out += fmt::format("<path class=\"reach m-{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                       mark_colours.at(kind % mark_colours.size()), axis.x(c.ratio->lower), y, axis.x(c.ratio->upper));
    out += mark(kind, axis.x(c.ratio->median), y,
                fmt::format("{}: {:.2f}, {}", c.name, c.ratio->median, duration_text(c.seconds->median)));
  }
  return out;
}

std::string legend_of(const std::vector<std::string>& names, bool with_limit) {
  std::string out;
  for (std::size_t kind = 0; kind < names.size(); ++kind)
    out += fmt::format("<span><svg class=\"key-mark\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">{}</svg>{}</span>",
                       mark(kind, 7, 7, names[kind]), reports::html_escape(names[kind]));
  if (with_limit)
    out +=
        "<span><svg class=\"key-mark\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path class=\"limit\" d=\"M7 "
        "0v14\"/></svg>machine&#39;s limit</span>";
  return fmt::format("<figcaption class=\"legend\">{}</figcaption>", out);
}

}  // namespace

std::string ratio_plot(const std::vector<const BenchRow*>& rows) {
  const std::vector<std::string> names = names_of(rows);
  if (names.empty()) return "";
  const Axis axis(rows);
  const double height = axis_height + pitch * static_cast<double>(rows.size());
  std::string marks;
  bool with_limit = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    marks += row_marks(*rows[i], names, axis, axis_height + pitch * (static_cast<double>(i) + 0.5));
    with_limit = with_limit || (rows[i]->limit && rows[i]->limit->ratio);
  }
  return fmt::format(
      "<figure class=\"ratios\">{}<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Times in ratio to those of "
      "{}\">{}{}</svg></figure>\n",
      legend_of(names, with_limit), plot_width, height, reports::html_escape(names.front()), axis_lines(axis, height),
      marks);
}

std::string ratio_plot_style() {
  return R"css(
.ratios svg { width: 100%; height: auto; display: block; margin-top: .6rem; } .ratios .key-mark { width: 14px; height: 14px; display: inline-block; margin: 0 .4em -.1em 0; }
.ratios text { font-size: 12px; fill: var(--soft); font-family: inherit; } .ratios .row-name { fill: var(--ink); } .ratios .even { stroke: var(--ink); stroke-width: 1.5; }
.ratios .mark { fill: var(--m); stroke: var(--page); stroke-width: 1; } .ratios .m-undecided.mark { stroke: var(--m); stroke-width: 2; } .ratios .reach { stroke: var(--m); stroke-width: 2; opacity: .5; }
.ratios .limit { stroke: var(--faint); stroke-width: 3; }
.m-ink { --m: var(--ink); } .m-accent { --m: var(--accent); } .m-good { --m: var(--good); } .m-wrong { --m: var(--wrong); } .m-crash { --m: var(--crash); } .m-undecided { --m: var(--undecided); }
)css";
}

}  // namespace cellproof::lab::bench
