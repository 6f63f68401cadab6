#pragma once

#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// Is the layout neither 0 nor 1? Then dimensions, and all shapes with them, depend on how it is read (layout-other).
bool is_layout_open(const Problem& problem);

/// Is it 1, or neither? Then an engine that takes it for 0 gives outputs of other shapes, which may be explained.
bool may_be_taken_for_0(const Problem& problem);

/// Do these readings take such a layout for 0, although dimensions_of takes it for 1?
bool is_read_as_layout_0(const Problem& problem, const Readings& readings);

/// Returns the problem with layout 0. Its other tensors may have shapes that are right in layout 1 alone.
Problem in_layout_0(const Problem& problem);

}  // namespace cellproof::oracle
