#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oracle/still_fails.hpp"
#include "spec/axis_value.hpp"
#include "spec/case.hpp"

namespace cellproof::oracle {

/// Extent to which a case is made smaller; each step includes those before it.
enum class Reach {
  Axes,     ///< what is guilty
  Shapes,   ///< smaller tensors (oracle/minimise_shapes.hpp)
  Numbers,  ///< simpler values (oracle/minimise_numbers.hpp)
};

struct Minimised {
  Case smallest;
  /// The axis values that the failure needs: those of the start that could not be brought back to their defaults, each
  /// by itself, as far as `smallest` still has them, and as it has them.
  AxisValues guilty;
};

/// Axis by axis, those of presentation first, then in table order, and again until nothing changes, each value that is
/// not its axis's default is replaced by it where the case still fails with it; then sizes become smaller, then values
/// simpler. A size below its default is not made larger, but asked whether it could be: then it is not guilty. The
/// result fails, or is `c`, and is never larger than it. Deterministic. Whoever limits the number of questions has
/// `still_fails` say no from some time on; what was found until then is the result.
Minimised minimise(Case c, const StillFails& still_fails, Reach reach = Reach::Numbers);

}  // namespace cellproof::oracle
