#include "reference/evaluate.hpp"
#include "reference/mpfr_real.hpp"

namespace cellproof::reference {

template Trajectory<Mpfr50> evaluate(const Problem& problem, const Readings& readings, std::int64_t sequences_together);

}  // namespace cellproof::reference
