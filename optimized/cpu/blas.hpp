#pragma once

#include <cstddef>
#include <string>

namespace cellproof::cpu {

/// OpenBLAS, opened at run time so that nothing needs it to build or to start. It computes on the caller's thread.
class Blas {
 public:
  /// The library of this machine, opened at the first call; nullptr where there is none.
  static const Blas* open();
  /// "" or why there is none.
  static const std::string& missing();

  /// out[row][column] += sum over k of rows[row][k] * weights[k][column]. `columns` is also the distance of the rows of
  /// the weights, `stride` of those of out.
  template <class Real>
  void multiply_add(const Real* const* rows, std::size_t row_count, std::size_t length, const Real* weights,
                    std::size_t columns, Real* out, std::size_t stride) const;

 private:
  using Sgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a, int lda,
                         const float* b, int ldb, float beta, float* c, int ldc);
  using Dgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double* a,
                         int lda, const double* b, int ldb, double beta, double* c, int ldc);
  Blas();

  Sgemm sgemm_ = nullptr;
  Dgemm dgemm_ = nullptr;
  std::string missing_;
  static const Blas& instance();
};

}  // namespace cellproof::cpu
