#pragma once

#include "oracle/still_fails.hpp"

namespace cellproof::oracle {

/// Makes T, N, I and H as small as the case still fails with: all of them 1 at once, else one after the other 1, or by
/// halving as near to it as can be, and again while one of them gives way. With fewer numbers a failure may hide by
/// chance (a cell that its function cuts off), so that 1 is tried with other seeds, and with generated values in place
/// of literal ones, before it is given up. Zeros stay: an empty tensor is another kind of case.
Case minimise_shapes(Case c, const StillFails& still_fails);

/// Leaves out the steps, rows, features and units at which all literal tensors are 0, where the case fails without
/// them: what was needed for the shapes may not be needed for the numbers that are left.
Case drop_unused(Case c, const StillFails& still_fails);

}  // namespace cellproof::oracle
