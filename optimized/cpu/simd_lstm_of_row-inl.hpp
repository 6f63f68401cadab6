// The product of one row and the LSTM's cell in one go, on vectors of the target that is being compiled; included once
// per target.

#include <hwy/highway.h>

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/simd_cells-inl.hpp"
#include "optimized/cpu/simd_product-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_LSTM_OF_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_LSTM_OF_ROW_INL
#undef CELLPROOF_CPU_SIMD_LSTM_OF_ROW_INL
#else
#define CELLPROOF_CPU_SIMD_LSTM_OF_ROW_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lstm_gates = 4;

/// A part of the sums of one block, in the order of k: row[k] times the panel's four vectors from `weights` on.
template <class Term>
struct PartOfBlock {
  using Real = typename Term::Real;
  const Real* HWY_RESTRICT row;
  const Real* HWY_RESTRICT weights;

  HWY_INLINE void Add(hn::Vec<hn::ScalableTag<Real>> (&sums)[lstm_gates]) {
    const hn::ScalableTag<Real> d;
    const std::size_t lanes = hn::Lanes(d);
    if constexpr (prefetches) Prefetch<lstm_gates * sizeof(sums[0])>(weights);
    const auto x = hn::Set(d, *row++);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < lstm_gates; ++v) Term::Add(x, hn::Load(d, weights + v * lanes), sums[v]);
    weights += lstm_gates * lanes;
  }
};

/// The second half of a block's sums is added up together with the first half of the next block's: one alone would wait
/// for its own last additions. A block's cell is made while the weights of the next ones come from a cache further
/// away.
template <class Term, class F, class Real = typename Term::Real>
HWY_NOINLINE void FullBlocksOfRow(const Multiplication<Real>& m, const LstmStep<Real>& step, bool backwards) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d), blocks = step.gates.units / lanes, half = m.length / 2;
  const LstmCell<Real, F> cell(step);
  const auto number = [&](std::size_t i) { return backwards ? blocks - 1 - i : i; };
  const auto part = [&](std::size_t i, std::size_t k) {
    return PartOfBlock<Term>{m.rows[0] + k, m.panel + (number(i) * m.length + k) * lstm_gates * lanes};
  };
  hn::Vec<decltype(d)> next[lstm_gates];
  const auto begin = [&]() HWY_ATTR {
#pragma GCC unroll 4
    for (auto& sum : next) sum = hn::Zero(d);
  };
  if (blocks == 0) return;
  begin();
  PartOfBlock<Term> first = part(0, 0);
  for (std::size_t k = 0; k < half; ++k) first.Add(next);
  for (std::size_t i = 0; i < blocks; ++i) {
    hn::Vec<decltype(d)> sums[lstm_gates];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < lstm_gates; ++v) sums[v] = next[v];
    begin();
    PartOfBlock<Term> second = part(i, half);
    if (i + 1 < blocks) {
      first = part(i + 1, 0);
#pragma GCC unroll 2
      for (std::size_t k = 0; k < half; ++k) {
        second.Add(sums);
        first.Add(next);
      }
    } else {
      for (std::size_t k = 0; k < half; ++k) second.Add(sums);
    }
    if (m.length % 2 == 1) second.Add(sums);
    const std::size_t unit = number(i) * lanes;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < lstm_gates; ++v)
      sums[v] = hn::Add(hn::Load(d, step.gates.input + unit * lstm_gates + v * lanes), sums[v]);
    cell.Second(cell.First(sums[0], sums[1], sums[2], sums[3], unit));
  }
}

template <class Term, class Real = typename Term::Real>
void LstmOfOneRow(const Multiplication<Real>& m, const LstmStep<Real>& step, bool backwards) {
  IsDefault(step) ? FullBlocksOfRow<Term, DefaultFunctions<Real>>(m, step, backwards)
                  : FullBlocksOfRow<Term, AnyFunctions<Real>>(m, step, backwards);
  const std::size_t lanes = HWY_LANES(Real), full = step.gates.units / lanes * lanes;
  if (full == step.gates.units) return;
  Multiplication<Real> rest = m;
  rest.panel += full * lstm_gates * m.length;
  rest.vectors -= full / lanes * lstm_gates;
  MultiplyOneRow<Term>(rest);
  LstmStep<Real> cell = step;
  cell.gates.input += full * lstm_gates;
  cell.gates.recurrent = rest.out;
  cell.gates.units -= full;
  for (const Real** peephole : {&cell.peephole_i, &cell.peephole_o, &cell.peephole_f})
    if (*peephole) *peephole += full;
  cell.c += full;
  cell.h += full;
  Lstm(cell);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
