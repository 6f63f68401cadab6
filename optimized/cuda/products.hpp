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

/// out[row][column] = sum over k of a[row][k] * w[column][k]. A sum is of one column and up to rows_at_once rows.
template <class Real>
struct RowsProduct {
  const Real* a;  ///< [rows][terms]
  Index rows;
  Index terms;
  const Real* w;  ///< [columns][terms]
  Index columns;
  Real* out;  ///< [rows][columns]

  struct Part {
    Real values[rows_at_once] = {};
    CELLPROOF_HD void merge(const Part& other) {
      for (int q = 0; q < rows_at_once; ++q) values[q] += other.values[q];
    }
  };

  CELLPROOF_HD Index count() const { return columns * ((rows + rows_at_once - 1) / rows_at_once); }
  CELLPROOF_HD Index length() const { return terms; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const Real weight = w[i % columns * terms + k];
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) part.values[q] = multiply_add(a[(first + q) * terms + k], weight, part.values[q]);
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) out[(first + q) * columns + i % columns] = part.values[q];
  }
};

/// The same of stored float16 or bfloat16. A product of two of them is exact in float, where they are added.
struct WordsProduct {
  const std::uint16_t* a;  ///< [rows][terms]
  Index rows;
  Index terms;
  const std::uint16_t* w;  ///< [columns][terms]
  Index columns;
  float* out;  ///< [rows][columns]
  Storage storage;

  using Part = RowsProduct<float>::Part;

  CELLPROOF_HD Index count() const { return columns * ((rows + rows_at_once - 1) / rows_at_once); }
  CELLPROOF_HD Index length() const { return terms; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const float weight = load<float>(storage, w, i % columns * terms + k);
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows)
        part.values[q] = multiply_add(load<float>(storage, a, (first + q) * terms + k), weight, part.values[q]);
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) out[(first + q) * columns + i % columns] = part.values[q];
  }
};

}  // namespace cellproof::cuda
