#include "reference/evaluate.hpp"

namespace cellproof::reference {

template Trajectory<double> evaluate(const Problem& problem, const Readings& readings);

}  // namespace cellproof::reference
