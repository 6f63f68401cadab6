#pragma once

#include "optimized/cuda/elements.hpp"
#include "optimized/cuda/host_device.hpp"

namespace cellproof::cuda {

/// to[i] = from[i] widened, for each i.
template <class Real>
struct Widen {
  const void* from;
  Storage storage;
  Real* to;

  CELLPROOF_HD void operator()(Index i) const { to[i] = load<Real>(storage, from, i); }
};

/// Rows of `width` elements, widened: row r comes from from[at[r]] on. Zeros where `from` is null.
template <class Real>
struct GatherRows {
  const void* from;
  Storage storage;
  const Index* at;
  Index width;
  Real* to;  ///< [row][width]

  CELLPROOF_HD void operator()(Index i) const {
    const Index row = i / width, k = i % width;
    to[i] = from == nullptr ? Real(0) : load<Real>(storage, from, at[row] + k);
  }
};

/// The same of stored float16 or bfloat16, as they are.
struct GatherWords {
  const std::uint16_t* from;
  const Index* at;
  Index width;
  std::uint16_t* to;  ///< [row][width]

  CELLPROOF_HD void operator()(Index i) const {
    const Index row = i / width, k = i % width;
    to[i] = from == nullptr ? std::uint16_t{0} : from[at[row] + k];
  }
};

/// Stored numbers as the sum of bfloat16 parts: one where they are bfloat16 already, two for the 11 bits of float16.
struct SplitWords {
  const std::uint16_t* from;
  Storage storage;
  Index parts, count;
  std::uint16_t* to;  ///< [part][count]

  CELLPROOF_HD void operator()(Index i) const {
    float rest = load<float>(storage, from, i);
    for (Index part = 0; part < parts; ++part) to[part * count + i] = next_bfloat(rest);
  }
};

/// The last states of the sequences: that of rank r is in half lengths[r] % halves of `from`, and goes to to[at[r]] on.
template <class Real>
struct ScatterStates {
  const Real* from;  ///< [half][rank][width]
  Index halves;
  Index ranks;
  const Index* lengths;
  const Index* at;
  Index width;
  Storage storage;
  void* to;

  CELLPROOF_HD void operator()(Index i) const {
    const Index rank = i / width, k = i % width;
    const Index half = lengths[rank] % halves;
    store(storage, to, at[rank] + k, from[(half * ranks + rank) * width + k]);
  }
};

}  // namespace cellproof::cuda
