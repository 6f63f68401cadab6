#include "reports/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

/// Characters in a line of the terminal that standard output is; 160 where it is none.
std::size_t width_of_output() {
  constexpr std::size_t least = 40, usual = 160;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::max<std::size_t>(size.ws_col, least);
}

}  // namespace

SummaryOptions summary_options(bool is_verbose, std::size_t more) {
  constexpr std::size_t most_lines = 20, time_and_address = 2;
  if (more > 0) ++more;  // why the run ended early
  const std::size_t behind = std::min(most_lines, time_and_address + more);
  return {.width = width_of_output(), .lines = most_lines - behind, .is_verbose = is_verbose};
}

std::string not_run_text(const ReportData& data) {
  std::string lines;
  for (const auto& [file, run] : data.runs) {
    for (const std::string& left : run.not_run)
      lines += fmt::format("{}{}not run: {}\n", visible_text(file), file.empty() ? "" : ": ", visible_text(left));
  }
  return lines;
}

}  // namespace cellproof::reports
