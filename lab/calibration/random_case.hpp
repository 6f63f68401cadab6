#pragma once

#include <cstdint>
#include <optional>

#include "spec/case.hpp"

namespace cellproof::lab {

/// Case number `index` of an endless deterministic sequence of valid cases of one operator: every version and type in
/// turn, each axis at its default or, one time in three, at a value drawn from the table of axes. Only cases that an
/// engine must accept (no clause leaves it open) are in the sequence, so that an honest engine has nothing to choose.
Case random_case(Operator op, std::uint64_t index, std::uint64_t seed = 0);

/// The same, another in place of one of which no text speaks: infinities and NaN leave DynamicQuantizeLSTM no range to
/// quantise by. The suites have no such cases. One quantised case in three has a zero point for each direction.
Case specified_case(Operator op, std::uint64_t index, std::uint64_t seed = 0);

}  // namespace cellproof::lab
