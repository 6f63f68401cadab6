#include "reference/evaluate.hpp"

namespace cellproof::reference {

template Trajectory<double> evaluate(const Problem& problem, const Readings& readings, std::int64_t sequences_together);

}  // namespace cellproof::reference
