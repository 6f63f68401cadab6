#pragma once

#include <string>
#include <vector>

#include "oracle/waiver.hpp"
#include "reports/render.hpp"

namespace cellproof::campaign {

/// The waivers of a file; none for "". Throws std::invalid_argument as oracle::read_waivers does.
std::vector<oracle::Waiver> waivers_of(const std::string& file);

/// Applies waivers, by today's date, to what is about to be reported: fills `waived`, `waived_findings`,
/// `waived_causes` and `waiver_complaints`. A case is waived by its causes where each is waived or known.
/// `complete`: every case of the suites is among the findings. Returns the exit code of the whole.
int apply_waivers(const std::vector<oracle::Waiver>& waivers, bool complete, reports::ReportData& data);

}  // namespace cellproof::campaign
