#pragma once

#include <string>

#include "spec/case.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"
#include "spec/run_metadata.hpp"

namespace cellproof::campaign {

/// The text of an issue about a reduced finding, in the order that the form of ONNX Runtime's project asks for.
/// Markdown with the script inside, unless that is long. `cause`: what the run makes of it; null where nothing is known
/// but the finding. `machine`: where it was seen.
std::string issue_text(const Finding& finding, const Case& smallest, const Cause* cause, const RunMetadata& machine);

}  // namespace cellproof::campaign
