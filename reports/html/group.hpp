#pragma once

#include <string>

#include "reports/grouping.hpp"

namespace cellproof::reports::html {

/// A group that is held against its engine, as something to unfold: its sentence, the values that it hangs on, the
/// first violation beside the plot, the command that replays it, and its other cases.
std::string fault_group(const Group& group, const std::string& id, bool unfolded);

/// The replay_command with its buttons.
std::string replay(const Finding& finding, const std::string& engine_argument);

}  // namespace cellproof::reports::html
