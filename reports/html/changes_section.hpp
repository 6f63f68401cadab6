#pragma once

#include <string>

#include "reports/html/engine.hpp"
#include "reports/render.hpp"

namespace cellproof::reports::html {

/// The run beside the base that it was compared with: for each engine its causes with their numbers of cases in both,
/// new ones first, then fixed ones, then those that are the same. "" where nothing was compared.
std::string changes_section(const ReportData& data, const Shown& shown);

}  // namespace cellproof::reports::html
