#include "reports/html/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "reports/html/markup.hpp"

namespace cellproof::reports::html {
namespace {

constexpr double width = 460, height = 210, left = 46, right = 14, top = 26, bottom = 34;
constexpr std::size_t most_points = 240;
constexpr int most_decades = 60;

using Series = std::vector<StepPoint>;

/// NaN counts as infinitely wrong.
double weight(const StepPoint& point) {
  return std::isnan(point.ratio) ? std::numeric_limits<double>::infinity() : point.ratio;
}

/// One direction in order of time; where sequences reach a step at different moments, the worst of them stands for it.
Series of_direction(const Series& all, Direction direction) {
  Series points;
  std::copy_if(all.begin(), all.end(), std::back_inserter(points),
               [&](const StepPoint& p) { return p.direction == direction; });
  std::stable_sort(points.begin(), points.end(), [](const StepPoint& a, const StepPoint& b) {
    return a.step != b.step ? a.step < b.step : weight(a) > weight(b);
  });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const StepPoint& a, const StepPoint& b) { return a.step == b.step; }),
               points.end());
  return points;
}

Series thinned(const Series& points) {
  if (points.size() <= most_points) return points;
  Series kept;
  for (std::size_t i = 0; i < most_points; ++i) {
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(i * points.size() / most_points);
    const auto to = points.begin() + static_cast<std::ptrdiff_t>((i + 1) * points.size() / most_points);
    kept.push_back(
        *std::max_element(from, to, [](const StepPoint& a, const StepPoint& b) { return weight(a) < weight(b); }));
  }
  return kept;
}

/// Decades that the vertical axis spans.
struct Decades {
  int low, high;
};

Decades decades_of(const Series& points) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const StepPoint& p : points) {
    for (const double value : {p.error, p.bound}) {
      if (!std::isfinite(value) || value <= 0) continue;
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  }
  if (largest == 0) return {-8, 0};
  const int high = static_cast<int>(std::floor(std::log10(largest))) + 1;
  const int low = std::max(static_cast<int>(std::floor(std::log10(smallest))), high - most_decades);
  return {std::min(low, high - 2), high};
}

std::string superscript(int exponent) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) out += digits[c - '0'];
  return out;
}

class Panel {
 public:
  Panel(Series points, Direction direction, const std::optional<FirstViolation>& first, bool several)
      : points_(std::move(points)), direction_(direction), several_(several), decades_(decades_of(points_)) {
    unbounded_ =
        std::any_of(points_.begin(), points_.end(), [](const StepPoint& p) { return !std::isfinite(p.error); });
    const bool here =
        first && first->step && (first->direction == Direction::Reverse) == (direction == Direction::Reverse);
    if (here) first_step_ = first->step;
  }

  std::string svg() const {
    return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}{}{}{}</svg>",
                       width, height, label(), grid(), honest_area(), first_mark(), errors(), captions());
  }

 private:
  std::string label() const {
    return fmt::format("Error against bound over {} steps, {}", points_.size(), name(direction_));
  }

  double x(std::int64_t step) const {
    const double from = static_cast<double>(points_.front().step);
    const double span = static_cast<double>(points_.back().step) - from;
    const double inner = width - left - right - 20;
    return left + 10 + (span == 0 ? inner / 2 : inner * (static_cast<double>(step) - from) / span);
  }

  /// Zero sits on the floor, infinity and NaN at the ceiling.
  double y(double value) const {
    const double floor = height - bottom;
    if (!std::isfinite(value)) return top;
    if (value <= 0) return floor;
    const double ceiling = unbounded_ ? top + 18 : top;
    const double share = (std::log10(value) - decades_.low) / (decades_.high - decades_.low);
    return floor - std::clamp(share, 0.0, 1.0) * (floor - ceiling);
  }

  std::string grid() const {
    std::string out;
    const int stride = std::max(1, (decades_.high - decades_.low + 4) / 5);
    for (int decade = decades_.low; decade <= decades_.high; decade += stride) {
      const double at = y(std::pow(10.0, decade));
      out += fmt::format(
          "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
          "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">10{}</text>",
          left, width - right, at, at, left - 6, at + 4, superscript(decade));
    }
    if (unbounded_)
      out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">∞</text>", left - 6, top + 4);
    // At most nine labels, in points rather than in steps: a damaged series may name any number as its step.
    const std::size_t every = (points_.size() + 8) / 9;
    for (std::size_t i = 0; i < points_.size(); i += every)
      out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                         x(points_[i].step), height - bottom + 15, points_[i].step);
    return out;
  }

  /// Half the distance between two steps: the bound holds for a step, so it is drawn as wide as one.
  double half_step() const {
    const double gap = points_.size() < 2 ? 40 : (width - left - right - 20) / static_cast<double>(points_.size() - 1);
    return std::min(gap / 2, 10.0 + (points_.size() < 2 ? 30 : 0));
  }

  std::string honest_area() const {
    std::string line;
    const double half = half_step();
    const bool joined = points_.size() > 40;
    for (const StepPoint& p : points_) {
      const double at = y(p.bound);
      if (joined)
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x(p.step), at);
      else
        line += fmt::format("M{:.1f} {:.1f}h{:.1f}", x(p.step) - half, at, 2 * half);
    }
    std::string area;
    area += fmt::format("M{:.1f} {:.1f}", x(points_.front().step) - (joined ? 0 : half), height - bottom);
    for (const StepPoint& p : points_) {
      const double at = y(p.bound);
      if (joined)
        area += fmt::format("L{:.1f} {:.1f}", x(p.step), at);
      else
        area += fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", x(p.step) - half, at, x(p.step) + half, at);
    }
    area += fmt::format("L{:.1f} {:.1f}z", x(points_.back().step) + (joined ? 0 : half), height - bottom);
    return fmt::format("<path class=\"honest\" d=\"{}\"/><path class=\"bound\" d=\"{}\"/>", area, line);
  }

  std::string first_mark() const {
    if (!first_step_) return "";
    const double at = x(*first_step_);
    const char* anchor = at < width / 3 ? "start" : at > 2 * width / 3 ? "end" : "middle";
    return fmt::format(
        "<line class=\"first\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text class=\"first-label\" x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"{4}\">first wrong step {5}</text>",
        at, top, height - bottom, top - 8, anchor, *first_step_);
  }

  std::string errors() const {
    std::string path;
    std::string dots;
    const bool small = points_.size() > 60;
    for (const StepPoint& p : points_) {
      const double px = x(p.step);
      const double py = y(p.error);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
      const bool over = !(p.ratio <= 1);
      if (small && !over) continue;
      dots += fmt::format(
          "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>step {}: error {}, bound {}, "
          "ratio {}</title></circle>",
          over ? "over" : "within", px, py,
          small  ? 2.2
          : over ? 4
                 : 3,
          p.step, number(p.error), number(p.bound), number(p.ratio));
    }
    return fmt::format("<path class=\"error\" d=\"{}\"/>{}", path, dots);
  }

  std::string captions() const {
    const char* order = direction_ == Direction::Forward ? "time step" : "time step (processed right to left)";
    std::string out = fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", width - right,
                                  height - 4, order);
    if (several_)
      out += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>", left, height - 4, name(direction_));
    return out;
  }

  Series points_;
  Direction direction_;
  bool several_;
  Decades decades_;
  bool unbounded_ = false;  ///< some error is infinite or NaN: the ceiling is theirs
  std::optional<std::int64_t> first_step_;
};

}  // namespace

std::string plot(const Judgement& judgement) {
  std::string panels;
  const Series forward = thinned(of_direction(judgement.series, Direction::Forward));
  const Series reverse = thinned(of_direction(judgement.series, Direction::Reverse));
  const bool several = !forward.empty() && !reverse.empty();
  if (!forward.empty()) panels += Panel(forward, Direction::Forward, judgement.first, several).svg();
  if (!reverse.empty()) panels += Panel(reverse, Direction::Reverse, judgement.first, several).svg();
  if (panels.empty()) return "";
  return fmt::format(
      "<figure class=\"plots\">{}<figcaption><span class=\"key error-key\"></span>error "
      "<span class=\"key bound-key\"></span>what honest arithmetic may reach</figcaption></figure>",
      panels);
}

}  // namespace cellproof::reports::html
