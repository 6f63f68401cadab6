#pragma once

#include "reports/render.hpp"

namespace cellproof::reports {

/// Notes causes of two of the sample's engines: faults, a reading, and what none explains. The others have none.
void add_sample_causes(ReportData& data);

}  // namespace cellproof::reports
