#include "reference/bin_float_real.hpp"
#include "reference/evaluate.hpp"

namespace cellproof::reference {

template Trajectory<BinFloat50> evaluate(const Problem& problem, const Readings& readings,
                                         std::int64_t sequences_together);

}  // namespace cellproof::reference
