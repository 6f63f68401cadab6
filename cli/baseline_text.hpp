#pragma once

#include <string>

#include "campaign/baseline.hpp"
#include "reports/passport.hpp"

namespace cellproof::cli {

/// In what the run of a base store was another than this one, a line for people; "" where findings of both compare.
std::string difference_from_base(const reports::Passport& base, const std::string& name, const reports::Passport& now);

/// A line with the counts, and one for each signature that is new or no longer there, and for what was not run.
std::string to_text(const campaign::BaselineComparison& comparison, const std::string& name);

}  // namespace cellproof::cli
