#pragma once

#include <string>
#include <vector>

#include "lab/bench/report/report.hpp"

namespace cellproof::lab::bench {

/// Everybody's time in ratio to the first subject's, one line of marks for each row, logarithmic: a mark at the
/// median, a stroke over the middle half of the rounds, a bar where the machine's limit is. Inline SVG with its own
/// legend; "" where no row has a ratio. `rows` have one number of threads.
std::string ratio_plot(const std::vector<const BenchRow*>& rows);

/// The rules that the plot's marks need beside the page's style sheet.
std::string ratio_plot_style();

}  // namespace cellproof::lab::bench
