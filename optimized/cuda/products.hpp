#pragma once

#include "optimized/cuda/elements.hpp"
#include "optimized/cuda/host_device.hpp"

// Bodies of long sums. Each has
//   Part                 what one lane gathers; merge() adds another lane's
//   count(), length()    how many sums there are, how many terms each has
//   add(part, i, k)      takes term k of sum i in
//   finish(i, part)      does something with sum i
// A warp on a device, or a loop on the host, gives term k to lane k % lanes and merges lane l with lane l + 16, then
// with l + 8 and so on: both round alike.

namespace cellproof::cuda {

/// a * b + c: fused on a device, where it is one instruction.
template <class Real>
CELLPROOF_HD Real multiply_add(Real a, Real b, Real c) {
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// out[row][column] = sum over k of a[row][k] * w[column][k]. A sum is of one column and up to rows_at_once rows. What
/// is stored in 16 bits is widened; a product of two such numbers is exact in float.
template <class Real, class Row, class Weight>
struct Product {
  const Row* a;  ///< [rows][terms]
  Index rows;
  Index terms;
  const Weight* w;  ///< [columns][terms]
  Index columns;
  Real* out;                         ///< [rows][columns]
  Storage storage = Storage::Float;  ///< of what has 16 bits

  struct Part {
    Real values[rows_at_once] = {};
    CELLPROOF_HD void merge(const Part& other) {
      for (int q = 0; q < rows_at_once; ++q) values[q] += other.values[q];
    }
  };

  CELLPROOF_HD Index count() const { return columns * ((rows + rows_at_once - 1) / rows_at_once); }
  CELLPROOF_HD Index length() const { return terms; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const Real weight = widened(w, i % columns * terms + k);
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) part.values[q] = multiply_add(widened(a, (first + q) * terms + k), weight, part.values[q]);
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) out[(first + q) * columns + i % columns] = part.values[q];
  }

 private:
  CELLPROOF_HD Real widened(const Real* from, Index at) const { return from[at]; }
  CELLPROOF_HD Real widened(const std::uint16_t* from, Index at) const { return load<Real>(storage, from, at); }
};

template <class Real>
using RowsProduct = Product<Real, Real, Real>;
/// Products of rows and weights that are stored in 16 bits.
using WordsProduct = Product<float, std::uint16_t, std::uint16_t>;
/// Products of rows of float with weights that are stored in 16 bits.
using MixedProduct = Product<float, float, std::uint16_t>;

}  // namespace cellproof::cuda
