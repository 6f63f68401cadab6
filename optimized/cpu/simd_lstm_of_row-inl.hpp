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

/// A block's cell is made while the weights of the next one come from a cache further away.
template <class Real, class F>
HWY_NOINLINE void FullBlocksOfRow(const Multiplication<Real>& m, const LstmStep<Real>& step, bool backwards) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d), blocks = step.gates.units / lanes;
  const LstmCell<Real, F> cell(step);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t block = backwards ? blocks - 1 - i : i;
    const std::size_t column = block * lstm_gates * lanes;
    hn::Vec<decltype(d)> gates[lstm_gates];
    SumsOfRow(m.rows[0], m.panel + column * m.length, m.length, gates);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < lstm_gates; ++v)
      gates[v] = hn::Add(hn::Load(d, step.gates.input + column + v * lanes), gates[v]);
    cell.Second(cell.First(gates[0], gates[1], gates[2], gates[3], block * lanes));
  }
}

template <class Real>
void LstmOfOneRow(const Multiplication<Real>& m, const LstmStep<Real>& step, bool backwards) {
  IsDefault(step) ? FullBlocksOfRow<Real, DefaultFunctions<Real>>(m, step, backwards)
                  : FullBlocksOfRow<Real, AnyFunctions<Real>>(m, step, backwards);
  const std::size_t lanes = HWY_LANES(Real), full = step.gates.units / lanes * lanes;
  if (full == step.gates.units) return;
  Multiplication<Real> rest = m;
  rest.panel += full * lstm_gates * m.length;
  rest.vectors -= full / lanes * lstm_gates;
  MultiplyOneRow(rest);
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
