#include "optimized/cpu/openblas.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace cellproof::cpu {
namespace {

constexpr int row_major = 101, as_stored = 111;  // CblasRowMajor, CblasNoTrans

/// OpenBLAS multiplies small matrices without packing them, up to m * n * k of about a million: the recurrent product
/// is cut into such pieces, because packing R again at every step costs more than the product.
constexpr std::size_t small_product = 1'000'000;
constexpr std::size_t most_rows = 16;
constexpr std::size_t column_unit = 64;
/// Least number of rows of which the products wait for the cell.
constexpr std::size_t least_tile = 64;

template <class Real>
using Gemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, Real alpha, const Real* a, int lda,
                      const Real* b, int ldb, Real beta, Real* c, int ldc);

struct OpenBlas {
  Gemm<float> of_float = nullptr;
  Gemm<double> of_double = nullptr;
  const char* missing = "";

  template <class Real>
  Gemm<Real> gemm() const {
    if constexpr (sizeof(Real) == sizeof(float))
      return of_float;
    else
      return of_double;
  }
};

OpenBlas opened() {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return {nullptr, nullptr, "OpenBLAS cannot be opened: libopenblas.so.0 (Debian's libopenblas0-pthread)"};
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  const auto of_float = reinterpret_cast<Gemm<float>>(dlsym(library, "cblas_sgemm"));
  const auto of_double = reinterpret_cast<Gemm<double>>(dlsym(library, "cblas_dgemm"));
  if (!set_threads || !of_float || !of_double)
    return {nullptr, nullptr, "libopenblas.so.0 lacks cblas_sgemm, cblas_dgemm or openblas_set_num_threads"};
  set_threads(1);
  return {of_float, of_double, ""};
}

const OpenBlas& openblas() {
  static const OpenBlas library = opened();
  return library;
}

/// Are the rows equally far from each other? Then BLAS can take them together.
template <class Real>
bool evenly_spaced(const Real* const* rows, std::size_t count) {
  for (std::size_t i = 2; i < count; ++i)
    if (rows[i] - rows[i - 1] != rows[1] - rows[0]) return false;
  return count < 2 || rows[1] > rows[0];
}

/// One piece, so that the weights are a matrix [k][column].
std::size_t whole_row(std::size_t, std::size_t vectors, bool) {
  return std::max<std::size_t>(vectors, 1);
}

template <class Real, std::size_t lanes>
void multiply(const Multiplication<Real>& m) {
  const std::size_t columns = m.vectors * lanes;
  for (std::size_t row = 0; row < m.row_count; ++row) {
    Real* out = m.out + row * m.out_stride;
    m.bias ? std::copy_n(m.bias, columns, out) : std::fill_n(out, columns, Real(0));
  }
  if (m.length == 0) return;
  const Gemm<Real> gemm = openblas().gemm<Real>();
  for (std::size_t row = 0; row < m.row_count;) {
    std::size_t count = std::min(most_rows, m.row_count - row);
    if (!evenly_spaced(m.rows + row, count)) count = 1;
    const Real* a = m.rows[row];
    const int lda = static_cast<int>(count > 1 ? static_cast<std::size_t>(m.rows[row + 1] - a) : m.length);
    const std::size_t piece = std::max(column_unit, small_product / (count * m.length) / column_unit * column_unit);
    for (std::size_t column = 0; column < columns; column += piece)
      gemm(row_major, as_stored, as_stored, static_cast<int>(count),
           static_cast<int>(std::min(piece, columns - column)), static_cast<int>(m.length), 1, a, lda, m.panel + column,
           static_cast<int>(columns), 1, m.out + row * m.out_stride + column, static_cast<int>(m.out_stride));
    row += count;
  }
}

template <class Real>
Kernels<Real> with_openblas(Kernels<Real> kernels) {
  kernels.piece_for = whole_row;
  kernels.multiply = kernels.lanes == 4   ? multiply<Real, 4>
                     : kernels.lanes == 8 ? multiply<Real, 8>
                                          : multiply<Real, 16>;
  kernels.multiply_row = kernels.multiply;
  kernels.lstm_of_row = nullptr;
  return kernels;
}

}  // namespace

const char* missing_for_openblas() {
  return openblas().missing;
}

const Kernels<float>& openblas_kernels(const Kernels<float>& others) {
  static const Kernels<float> kernels = with_openblas(others);
  return kernels;
}

const Kernels<double>& openblas_kernels(const Kernels<double>& others) {
  static const Kernels<double> kernels = with_openblas(others);
  return kernels;
}

Schedule schedule_for_openblas(const Node& node, std::size_t columns, std::size_t element_size, std::size_t team) {
  const std::size_t threads = std::min(team, node.size.D);
  Schedule schedule = schedule_of(node, columns, element_size, threads);
  schedule.one_direction_each = threads == 2;
  schedule.chunk = steps_ahead(node, rows_ahead(columns * element_size), schedule.by_units);
  schedule.tile_rows = std::max({least_tile, node.size.N, schedule.chunk});
  schedule.uses_weights_once = false;
  return schedule;
}

}  // namespace cellproof::cpu
