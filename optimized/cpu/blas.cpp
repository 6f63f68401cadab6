#include "optimized/cpu/blas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <type_traits>

namespace cellproof::cpu {
namespace {

constexpr int row_major = 101, as_stored = 111;  // CblasRowMajor, CblasNoTrans

/// OpenBLAS multiplies small matrices without packing them, up to m * n * k of about a million: the recurrent product
/// is cut into such pieces, because packing R again at every step costs more than the product.
constexpr std::size_t small_product = 1'000'000;
constexpr std::size_t most_rows = 16;
constexpr std::size_t column_unit = 64;

/// Are the rows equally far from each other? Then BLAS can take them together.
template <class Real>
bool evenly_spaced(const Real* const* rows, std::size_t count) {
  for (std::size_t i = 2; i < count; ++i)
    if (rows[i] - rows[i - 1] != rows[1] - rows[0]) return false;
  return count < 2 || rows[1] > rows[0];
}

}  // namespace

Blas::Blas() {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    missing_ = "OpenBLAS cannot be opened: libopenblas.so.0 (Debian's libopenblas0-pthread)";
    return;
  }
  using SetThreads = void (*)(int);
  const auto set_threads = reinterpret_cast<SetThreads>(dlsym(library, "openblas_set_num_threads"));
  sgemm_ = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  dgemm_ = reinterpret_cast<Dgemm>(dlsym(library, "cblas_dgemm"));
  if (!set_threads || !sgemm_ || !dgemm_) {
    missing_ = "libopenblas.so.0 lacks cblas_sgemm, cblas_dgemm or openblas_set_num_threads";
    return;
  }
  set_threads(1);
}

const Blas& Blas::instance() {
  static const Blas blas;
  return blas;
}

const Blas* Blas::open() {
  return instance().missing_.empty() ? &instance() : nullptr;
}

const std::string& Blas::missing() {
  return instance().missing_;
}

template <class Real>
void Blas::multiply_add(const Real* const* rows, std::size_t row_count, std::size_t length, const Real* weights,
                        std::size_t columns, Real* out, std::size_t stride) const {
  if (length == 0) return;
  for (std::size_t row = 0; row < row_count;) {
    std::size_t m = std::min(most_rows, row_count - row);
    if (!evenly_spaced(rows + row, m)) m = 1;
    const auto a = rows[row];
    const int lda = static_cast<int>(m > 1 ? static_cast<std::size_t>(rows[row + 1] - a) : length);
    const std::size_t piece = std::max(column_unit, small_product / (m * length) / column_unit * column_unit);
    for (std::size_t column = 0; column < columns; column += piece) {
      const int n = static_cast<int>(std::min(piece, columns - column));
      const int k = static_cast<int>(length), ldb = static_cast<int>(columns), ldc = static_cast<int>(stride);
      Real* c = out + row * stride + column;
      if constexpr (std::is_same_v<Real, float>) {
        sgemm_(row_major, as_stored, as_stored, static_cast<int>(m), n, k, 1, a, lda, weights + column, ldb, 1, c, ldc);
      } else {
        dgemm_(row_major, as_stored, as_stored, static_cast<int>(m), n, k, 1, a, lda, weights + column, ldb, 1, c, ldc);
      }
    }
    row += m;
  }
}

template void Blas::multiply_add(const float* const*, std::size_t, std::size_t, const float*, std::size_t, float*,
                                 std::size_t) const;
template void Blas::multiply_add(const double* const*, std::size_t, std::size_t, const double*, std::size_t, double*,
                                 std::size_t) const;

}  // namespace cellproof::cpu
