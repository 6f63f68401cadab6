#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/bench.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

std::string ratio_text(const Spread& ratio) {
  return fmt::format("{:.2f} [{:.2f} {:.2f}]", ratio.median, ratio.lower, ratio.upper);
}

std::string time_text(const Spread& time) {
  return fmt::format("{} [{} {}]", duration_text(time.median), duration_text(time.lower), duration_text(time.upper));
}

std::string contestant_line(const BenchContestant& c, std::size_t width) {
  const std::string who = visible_text(c.version.empty() ? c.name : c.name + " " + c.version);
  if (!c.missing.empty()) return fmt::format("  {:<{}}  takes no part: {}\n", who, width, visible_text(c.missing));
  std::string line = fmt::format("  {:<{}}  {:<30}  {:<20}", who, width, c.seconds ? time_text(*c.seconds) : "-",
                                 c.ratio ? ratio_text(*c.ratio) : "");
  if (!c.verdict.empty()) line += "  " + c.verdict;
  if (c.difference) line += fmt::format(", differs by {:.1e}", *c.difference);
  if (c.failed) line += "  FAILED";
  if (!c.remark.empty()) line += ": " + visible_text(c.remark);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string bar_text(const BenchBar& bar) {
  if (!bar.measured) return fmt::format("{}: not measured, {:.2f} asked for", bar.what, bar.at_least);
  return fmt::format("{}: {:.2f} of {:.2f} asked for{}", bar.what, *bar.measured, bar.at_least,
                     bar.is_met() ? "" : ", MISSED");
}

/// The count of bars, and each that is not met by its row.
std::string bars_text(const BenchData& data) {
  std::size_t count = 0, met = 0;
  std::string others;
  for (const BenchRow& row : data.rows) {
    for (const BenchBar& bar : row.bars) {
      ++count;
      met += bar.is_met() ? 1 : 0;
      if (!bar.is_met())
        others += fmt::format("  {}, {}: {}\n", row.name, counted(static_cast<std::size_t>(row.threads), "thread"),
                              bar_text(bar));
    }
  }
  return count == 0 ? "" : fmt::format("\nbars met: {} of {}\n{}", met, count, others);
}

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  for (const Unit& unit : units) {
    // Three digits: what would be rounded up to 1000 belongs to the next unit.
    if (seconds < unit.size * 0.9995 && unit.size > 1e-9) continue;
    const double value = seconds / unit.size;
    const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, digits, unit.name);
  }
  return "0 s";
}

std::string render_bench_text(const BenchData& data) {
  std::string out;
  for (const auto& [key, value] : data.passport) out += fmt::format("{}: {}\n", key, visible_text(value));
  if (!data.rows.empty())
    out +=
        "\nTime of one run: median over the rounds [quarters]; then the ratio to the first one measured, round by "
        "round: "
        "median [quarters].\n";
  for (const BenchRow& row : data.rows) {
    out += fmt::format("\n{}, {}\n", row.name, counted(static_cast<std::size_t>(row.threads), "thread"));
    std::size_t width = row.limit ? std::string_view("machine's limit").size() : 0;
    for (const BenchContestant& c : row.contestants)
      width = std::max(width, c.name.size() + (c.version.empty() ? 0 : 1 + c.version.size()));
    for (const BenchContestant& c : row.contestants) out += contestant_line(c, width);
    if (row.limit)
      out += fmt::format("  {:<{}}  {:<30}  {}\n    {}\n", "machine's limit", width, time_text(row.limit->seconds),
                         row.limit->ratio ? ratio_text(*row.limit->ratio) : "", row.limit->formula);
    if (row.meeting) out += fmt::format("  the threads meet in {}\n", time_text(*row.meeting));
    if (!row.limit_missing.empty()) out += fmt::format("  machine's limit: {}\n", visible_text(row.limit_missing));
    for (const BenchBar& bar : row.bars) out += fmt::format("  bar {}\n", bar_text(bar));
  }
  return out + bars_text(data);
}

}  // namespace cellproof::reports
