#pragma once

#include <string>

#include "spec/axis_value.hpp"
#include "spec/case.hpp"

namespace cellproof {

/// A case that passes, beside one that fails.
struct PassingCase {
  std::string case_line;
  AxisValues with;  ///< what it has where the failing one has something else; sizes last
  friend bool operator==(const PassingCase&, const PassingCase&) = default;
};

PassingCase passing_beside(const Case& failing, const Case& passing);

/// "with direction=forward"; sizes are named where nothing else differs, and values where no axis does.
std::string difference_text(const PassingCase& passing);

}  // namespace cellproof
