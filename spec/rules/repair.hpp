#pragma once

#include <vector>

#include "spec/expectation.hpp"

namespace cellproof::rules {

/// The case with each of the violations repaired by changing as little as can be: an unknown attribute goes, a wrong
/// value becomes the nearest right one, a wrong type or shape the specification's. Literal tensors keep their values
/// where the right type can hold them and the shape is right, else they are generated. The result may still break other
/// rules.
Case repaired(Case c, const std::vector<Violation>& violations);

}  // namespace cellproof::rules
