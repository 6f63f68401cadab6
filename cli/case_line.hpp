#pragma once

#include <string>

#include "spec/case.hpp"

namespace cellproof::cli {

/// The case that a line says, of which a problem can be made. Throws CaseTextError (what, where, what was expected) for
/// a line that cannot be read, and for sizes whose tensors no engine is given.
Case case_of_line(const std::string& line);

}  // namespace cellproof::cli
