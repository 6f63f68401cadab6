#include "reference/bin_float_real.hpp"
#include "reference/evaluate.hpp"

namespace cellproof::reference {

template Trajectory<BinFloat50> evaluate(const Problem& problem, const Readings& readings);

}  // namespace cellproof::reference
