#pragma once

#include <string>

#include "reports/grouping.hpp"

namespace cellproof::reports::html {

/// A group that is held against its engine: the values that it hangs on, the first violation beside the plot, the
/// smallest case, the command that replays it, and its other cases.
std::string group_body(const Group& group);

/// The same under its sentence, as something to unfold.
std::string group_details(const Group& group);

/// The replay_command with its buttons.
std::string replay(const Finding& finding, const std::string& engine_argument);

}  // namespace cellproof::reports::html
