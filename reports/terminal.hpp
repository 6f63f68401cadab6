#pragma once

#include <cstddef>
#include <string>

#include "reports/render.hpp"

namespace cellproof::reports {

/// The end of a run as it is printed: as wide as the terminal, and with what is printed behind it at most 20 lines.
/// `more`: lines that follow besides time and address of the report.
SummaryOptions summary_options(bool is_verbose, std::size_t more = 0);

/// Everything that was asked for and not run, a line each.
std::string not_run_text(const ReportData& data);

}  // namespace cellproof::reports
