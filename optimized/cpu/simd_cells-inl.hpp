// The cells on top of the products, on vectors of the target that is being compiled; included once per target.

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cmath>

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/simd_functions-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_CELLS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_CELLS_INL
#undef CELLPROOF_CPU_SIMD_CELLS_INL
#else
#define CELLPROOF_CPU_SIMD_CELLS_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// f = Sigmoid, g = h = Tanh, no clip: what nearly every model has, inlined.
template <class Real>
struct DefaultFunctions {
  hn::ScalableTag<Real> d;
  using V = hn::Vec<hn::ScalableTag<Real>>;
  static constexpr bool are_default = true;
  explicit DefaultFunctions(const Functions<Real>&) {}
  HWY_INLINE V f(V x) const { return Sigmoid(d, x); }
  HWY_INLINE V g(V x) const { return Tanh(d, x); }
  HWY_INLINE V FTimesG(V x, V y) const { return SigmoidTimesTanh(d, x, y); }
  HWY_INLINE V FTimesH(V x, V y) const { return SigmoidTimesTanh(d, x, y); }
};

template <class Real>
struct AnyFunctions {
  hn::ScalableTag<Real> d;
  using V = hn::Vec<hn::ScalableTag<Real>>;
  static constexpr bool are_default = false;
  explicit AnyFunctions(const Functions<Real>& functions) : functions_(functions) {}
  HWY_INLINE V f(V x) const { return Apply(*functions_.f, x); }
  HWY_INLINE V g(V x) const { return Apply(*functions_.g, x); }
  HWY_INLINE V FTimesG(V x, V y) const { return hn::Mul(f(x), g(y)); }
  HWY_INLINE V FTimesH(V x, V y) const { return hn::Mul(f(x), Apply(*functions_.h, y)); }

 private:
  HWY_INLINE V Apply(const Activation& activation, V x) const {
    return Activate(d, activation, AtLeast(d, AtMost(d, x, functions_.clip), -functions_.clip));
  }
  const Functions<Real>& functions_;
};

template <class Real>
bool IsUnbounded(const Functions<Real>& functions) {
  return std::isinf(functions.clip);
}

/// The two products of one block of one row, gate by gate: a vector each.
template <class Real>
class Block {
 public:
  using D = hn::ScalableTag<Real>;
  using V = hn::Vec<D>;
  HWY_INLINE Block(const Real* input, const Real* recurrent) : input_(input), recurrent_(recurrent) {}
  HWY_INLINE V Input(std::size_t gate) const { return hn::Load(D(), input_ + gate * hn::Lanes(D())); }
  HWY_INLINE V Recurrent(std::size_t gate) const { return hn::Load(D(), recurrent_ + gate * hn::Lanes(D())); }
  HWY_INLINE V Sum(std::size_t gate) const { return hn::Add(Input(gate), Recurrent(gate)); }

 private:
  const Real* input_;
  const Real* recurrent_;
};

/// The products of a block that is not full, moved apart so that each gate has a vector, which ends with what nobody
/// asks for.
template <class Real>
class MovedApart {
 public:
  HWY_INLINE const Real* Move(const Real* products, std::size_t count, std::size_t units) {
    const hn::ScalableTag<Real> d;
    for (std::size_t gate = 0; gate < count; ++gate)
      hn::Store(hn::LoadU(d, products + gate * units), d, products_ + gate * hn::Lanes(d));
    return products_;
  }

 private:
  HWY_ALIGN Real products_[4 * HWY_LANES(Real)];
};

/// Rows may be a page apart, where no processor looks for the next one by itself.
template <class Real>
HWY_INLINE void PrefetchRow(const Real* block, std::size_t count) {
  for (std::size_t byte = 0; byte < count * HWY_LANES(Real) * sizeof(Real); byte += 64)
    hwy::Prefetch(reinterpret_cast<const char*>(block) + byte);
}

/// body(block's products, place in the state) for every block of every row.
template <class Real, class Body>
HWY_INLINE void ForEachBlock(const Gates<Real>& gates, std::size_t count, std::size_t state_stride, const Body& body) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<Real>());
  MovedApart<Real> input_of_last, recurrent_of_last;
  for (std::size_t row = 0; row < gates.rows; ++row) {
    for (std::size_t unit = 0; unit < gates.units; unit += lanes) {
      const Real* input = gates.input + row * gates.input_stride + unit * count;
      const Real* recurrent = gates.recurrent + row * gates.recurrent_stride + unit * count;
      PrefetchRow<Real>(input + gates.input_stride, count);
      if (gates.units - unit < lanes) {
        input = input_of_last.Move(input, count, gates.units - unit);
        recurrent = recurrent_of_last.Move(recurrent, count, gates.units - unit);
      }
      body(Block<Real>(input, recurrent), row * state_stride + unit);
    }
  }
}

/// Values that the second half of a cell takes from the first. The function of the second half waits for those of the
/// first: with the first halves of some blocks before their second ones, the processor has something else to do
/// meanwhile.
template <class Real>
struct Half {
  hn::Vec<hn::ScalableTag<Real>> a, b;
  std::size_t at;
};
constexpr std::size_t halves_together = 8;

/// first(block's products, place in the state) gives what second(it) takes.
template <class Real, class First, class Second>
HWY_INLINE void ForEachBlockInHalves(const Gates<Real>& gates, std::size_t count, std::size_t state_stride,
                                     const First& first, const Second& second) {
  Half<Real> halves[halves_together];
  std::size_t waiting = 0;
  ForEachBlock(gates, count, state_stride, [&](const Block<Real>& block, std::size_t at) HWY_ATTR {
    halves[waiting++] = first(block, at);
    if (waiting < halves_together) return;
    for (const Half<Real>& half : halves) second(half);
    waiting = 0;
  });
  for (std::size_t i = 0; i < waiting; ++i) second(halves[i]);
}

/// An LSTM's cell, in halves.
template <class Real, class F>
class LstmCell {
 public:
  using D = hn::ScalableTag<Real>;
  using V = hn::Vec<D>;
  HWY_INLINE explicit LstmCell(const LstmStep<Real>& step) : step_(step), functions_(step.functions) {}

  /// From the arguments of the functions of gates i, o, f and c, without peepholes; writes C(t).
  HWY_INLINE Half<Real> First(V i, V o, V f, V c, std::size_t at) const {
    const std::size_t unit = at % step_.state_stride;
    const V before = hn::Load(D(), step_.c + at);
    i = WithPeephole(i, step_.peephole_i, unit, before);
    const V kept = !F::are_default && step_.input_forget
                       ? hn::Sub(hn::Set(D(), 1), functions_.f(i))
                       : functions_.f(WithPeephole(f, step_.peephole_f, unit, before));
    const V after = hn::MulAdd(kept, before, functions_.FTimesG(i, c));
    hn::Store(after, D(), step_.c + at);
    return Half<Real>{after, WithPeephole(o, step_.peephole_o, unit, after), at};
  }
  /// Writes H(t).
  HWY_INLINE void Second(const Half<Real>& half) const {
    hn::Store(functions_.FTimesH(half.b, half.a), D(), step_.h + half.at);
  }

 private:
  HWY_INLINE V WithPeephole(V sum, const Real* peephole, std::size_t unit, V cell) const {
    if (F::are_default || !peephole) return sum;
    return hn::MulAdd(hn::Load(D(), peephole + unit), cell, sum);
  }
  const LstmStep<Real>& step_;
  F functions_;
};

template <class Real, class F>
HWY_INLINE void LstmOf(const LstmStep<Real>& step) {
  const LstmCell<Real, F> cell(step);
  const auto first = [&](const Block<Real>& gates, std::size_t at)
                         HWY_ATTR { return cell.First(gates.Sum(0), gates.Sum(1), gates.Sum(2), gates.Sum(3), at); };
  ForEachBlockInHalves(step.gates, 4, step.state_stride, first,
                       [&](const Half<Real>& half) HWY_ATTR { cell.Second(half); });
}

/// (1 - z) * candidate + z * previous, as it is written: z * (previous - candidate) would make NaN of infinities.
template <class D, class V>
HWY_INLINE V Mix(D d, V z, V candidate, V previous) {
  return hn::MulAdd(hn::Sub(hn::Set(d, 1), z), candidate, hn::Mul(z, previous));
}

template <class Real, class F>
HWY_INLINE void GruAfterOf(const GruStep<Real>& step) {
  const hn::ScalableTag<Real> d;
  using V = hn::Vec<decltype(d)>;
  const F functions(step.functions);
  const auto first = [&](const Block<Real>& gates, std::size_t at) HWY_ATTR {
    const V z = functions.f(gates.Sum(0)), r = functions.f(gates.Sum(1));
    return Half<Real>{z, hn::MulAdd(r, gates.Recurrent(2), gates.Input(2)), at};
  };
  ForEachBlockInHalves(step.gates, 3, step.state_stride, first, [&](const Half<Real>& half) HWY_ATTR {
    hn::Store(Mix(d, half.a, functions.g(half.b), hn::Load(d, step.previous + half.at)), d, step.h + half.at);
  });
}

template <class Real, class F>
HWY_INLINE void GruGatesOf(const GruStep<Real>& step) {
  const hn::ScalableTag<Real> d;
  const F functions(step.functions);
  ForEachBlock(step.gates, 2, step.state_stride, [&](const Block<Real>& gates, std::size_t at) HWY_ATTR {
    hn::Store(functions.f(gates.Sum(0)), d, step.z + at);
    hn::Store(hn::Mul(functions.f(gates.Sum(1)), hn::Load(d, step.previous + at)), d, step.reset + at);
  });
}

template <class Real, class F>
HWY_INLINE void GruStateOf(const GruStep<Real>& step) {
  const hn::ScalableTag<Real> d;
  const F functions(step.functions);
  ForEachBlock(step.gates, 1, step.state_stride, [&](const Block<Real>& gates, std::size_t at) HWY_ATTR {
    const auto candidate = functions.g(gates.Sum(0));
    hn::Store(Mix(d, hn::Load(d, step.z + at), candidate, hn::Load(d, step.previous + at)), d, step.h + at);
  });
}

/// RNN's f is Tanh by default, where the others' f is Sigmoid: it goes by the name g here.
template <class Real>
HWY_INLINE void RnnOfTanh(const RnnStep<Real>& step) {
  const hn::ScalableTag<Real> d;
  ForEachBlock(step.gates, 1, step.state_stride, [&](const Block<Real>& gates, std::size_t at) HWY_ATTR {
    hn::Store(Tanh(d, gates.Sum(0)), d, step.h + at);
  });
}

template <class Real>
HWY_INLINE void RnnOfAny(const RnnStep<Real>& step) {
  const hn::ScalableTag<Real> d;
  const AnyFunctions<Real> functions(step.functions);
  ForEachBlock(step.gates, 1, step.state_stride, [&](const Block<Real>& gates, std::size_t at) HWY_ATTR {
    hn::Store(functions.f(gates.Sum(0)), d, step.h + at);
  });
}

inline bool Are(const Activation& f, const Activation& g) {
  return f.function == Function::Sigmoid && g.function == Function::Tanh;
}

template <class Real>
bool IsDefault(const LstmStep<Real>& step) {
  const auto& functions = step.functions;
  return Are(*functions.f, *functions.g) && functions.h->function == Function::Tanh && IsUnbounded(functions) &&
         !step.peephole_i && !step.input_forget;
}
template <class Real>
void Lstm(const LstmStep<Real>& step) {
  IsDefault(step) ? LstmOf<Real, DefaultFunctions<Real>>(step) : LstmOf<Real, AnyFunctions<Real>>(step);
}

template <class Real>
bool IsDefault(const GruStep<Real>& step) {
  return Are(*step.functions.f, *step.functions.g) && IsUnbounded(step.functions);
}
template <class Real>
void GruAfter(const GruStep<Real>& step) {
  IsDefault(step) ? GruAfterOf<Real, DefaultFunctions<Real>>(step) : GruAfterOf<Real, AnyFunctions<Real>>(step);
}
template <class Real>
void GruGates(const GruStep<Real>& step) {
  IsDefault(step) ? GruGatesOf<Real, DefaultFunctions<Real>>(step) : GruGatesOf<Real, AnyFunctions<Real>>(step);
}
template <class Real>
void GruState(const GruStep<Real>& step) {
  IsDefault(step) ? GruStateOf<Real, DefaultFunctions<Real>>(step) : GruStateOf<Real, AnyFunctions<Real>>(step);
}
template <class Real>
void Rnn(const RnnStep<Real>& step) {
  const bool by_default = step.functions.f->function == Function::Tanh && IsUnbounded(step.functions);
  by_default ? RnnOfTanh(step) : RnnOfAny(step);
}

template <class Real>
void ActivateAll(const Activation& activation, Real* values, std::size_t count) {
  const hn::ScalableTag<Real> d;
  WithFunction(d, activation, [&](const auto& function) HWY_ATTR {
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(function(hn::LoadU(d, values + i)), d, values + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
