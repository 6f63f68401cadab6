#pragma once

#include "corpus/vector_selection.hpp"
#include "reports/vectors/vector_set.hpp"

namespace cellproof::campaign {

/// Versions of the case's operator in which it is valid and leaves the same clauses open.
std::vector<OperatorVersion> versions_of(const Case& c);

/// Makes the vectors of a selection: the same on every machine, as problems, balls and what they are rounded to are.
/// Throws std::invalid_argument for a case that can be no vector.
reports::VectorSet make_set(const corpus::VectorSelection& selection);

}  // namespace cellproof::campaign
