#pragma once

#include <string>
#include <vector>

#include "reports/render.hpp"
#include "reports/tally.hpp"

namespace cellproof::reports::html {

/// The section "Fingerprint": clauses by engines, which answer each engine's outputs prove, with a case to replay. ""
/// where no finding carries evidence.
std::string fingerprint_table(const ReportData& data, const std::vector<EngineTally>& engines);

}  // namespace cellproof::reports::html
