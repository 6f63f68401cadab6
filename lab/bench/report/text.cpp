#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/bench/report/report.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::lab::bench {
namespace {

std::string ratio_text(const Spread& ratio) {
  return fmt::format("{:.2f} [{:.2f} {:.2f}]", ratio.median, ratio.lower, ratio.upper);
}

std::string time_text(const Spread& time) {
  return fmt::format("{} [{} {}]", duration_text(time.median), duration_text(time.lower), duration_text(time.upper));
}

std::string subject_line(const BenchSubject& c, std::size_t width) {
  const std::string who = reports::visible_text(c.version.empty() ? c.name : c.name + " " + c.version);
  if (!c.missing.empty())
    return fmt::format("  {:<{}}  unavailable: {}\n", who, width, reports::visible_text(c.missing));
  std::string line = fmt::format("  {:<{}}  {:<30}  {:<20}", who, width, c.seconds ? time_text(*c.seconds) : "-",
                                 c.ratio ? ratio_text(*c.ratio) : "");
  if (!c.verdict.empty()) line += "  " + c.verdict;
  if (c.difference) line += fmt::format(", differs by {:.1e}", *c.difference);
  if (c.failed) line += "  FAILED";
  if (!c.remark.empty()) line += ": " + reports::visible_text(c.remark);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
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
  for (const auto& [key, value] : data.passport) out += fmt::format("{}: {}\n", key, reports::visible_text(value));
  if (!data.rows.empty())
    out +=
        "\nTime of one run: median over the rounds [quarters]; then the ratio to the first one measured, round by "
        "round: "
        "median [quarters].\n";
  for (const BenchRow& row : data.rows) {
    out += fmt::format("\n{}, {}\n", row.name, reports::counted(static_cast<std::size_t>(row.threads), "thread"));
    std::size_t width = row.limit ? std::string_view("machine's limit").size() : 0;
    for (const BenchSubject& c : row.subjects)
      width = std::max(width, c.name.size() + (c.version.empty() ? 0 : 1 + c.version.size()));
    for (const BenchSubject& c : row.subjects) out += subject_line(c, width);
    if (row.limit)
      out += fmt::format("  {:<{}}  {:<30}  {}\n    {}\n", "machine's limit", width, time_text(row.limit->seconds),
                         row.limit->ratio ? ratio_text(*row.limit->ratio) : "", row.limit->formula);
    if (row.meeting) out += fmt::format("  the threads meet in {}\n", time_text(*row.meeting));
    if (!row.limit_missing.empty())
      out += fmt::format("  machine's limit: {}\n", reports::visible_text(row.limit_missing));
  }
  return out;
}

}  // namespace cellproof::lab::bench
