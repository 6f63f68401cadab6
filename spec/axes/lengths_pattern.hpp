#pragma once

#include <string>
#include <string_view>

#include "spec/case.hpp"

namespace cellproof::axes_detail {

/// "absent", "full", "ragged", "with-zero", "all-zero", "one": by the lengths that the case's problem has. Where T or N
/// is too small to tell two apart, the earlier in this list: all 1 with T = 1 is "full".
std::string lengths_pattern(const Case& c);

/// Writes such lengths; with T or N too small for the pattern, other ones ("full" as a rule).
void write_lengths(Case& c, std::string_view pattern);

/// Makes T and N large enough for the pattern to be told from the others.
void grow_for_pattern(Case& c, std::string_view pattern);

}  // namespace cellproof::axes_detail
