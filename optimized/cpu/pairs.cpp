#include "optimized/cpu/pairs.hpp"

#include <algorithm>

namespace cellproof::cpu {

template <class Real>
void multiply_pairs(const PairKernels<Real>& kernels, const Multiplication<Real>& m, const char* is_careful) {
  const auto careful = static_cast<std::size_t>(std::count(is_careful, is_careful + m.row_count, true));
  if (careful == m.row_count) return kernels.multiply_widened(m);
  m.row_count == 1 ? kernels.multiply_row(m) : kernels.multiply(m);
  if (careful == 0) return;
  // A row's result does not depend on the others, so those few are simply computed once more.
  for (std::size_t row = 0; row < m.row_count; ++row) {
    if (!is_careful[row]) continue;
    Multiplication<Real> one = m;
    one.rows += row;
    one.row_count = 1;
    one.out += row * m.out_stride;
    kernels.multiply_widened(one);
  }
}

template void multiply_pairs(const PairKernels<float>&, const Multiplication<float>&, const char*);
template void multiply_pairs(const PairKernels<double>&, const Multiplication<double>&, const char*);

}  // namespace cellproof::cpu
