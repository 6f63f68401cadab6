// The activation functions on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include "optimized/cpu/node.hpp"

#if defined(CELLPROOF_CPU_SIMD_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_FUNCTIONS_INL
#undef CELLPROOF_CPU_SIMD_FUNCTIONS_INL
#else
#define CELLPROOF_CPU_SIMD_FUNCTIONS_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Numbers that the functions of one element type are made of.
template <class Real>
struct Constants;

template <>
struct Constants<float> {
  static constexpr float log2_e = 0x1.715476p+0F;
  static constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;  // high * n is exact for |n| < 2^10
  static constexpr float exp_underflows = -104;
  static constexpr float tanh_saturates = 40;  // of 2|x|; tanh is 1 long before
  static constexpr float round_to_integer = 0x1.8p23F;
  static constexpr float exponent_bias = 127;
  static constexpr float half_range = 64, two_to_minus_half_range = 0x1p-64F;
  static constexpr int mantissa_bits = 23;
  /// (e^r - 1 - r) / r^2 on |r| <= ln(2) / 2, highest power first
  static constexpr float exp_tail[] = {0x1.6d977cp-10F, 0x1.122916p-7F, 0x1.555462p-5F, 0x1.55548ep-3F, 0.5F};
  /// (log((1 + s) / (1 - s)) - 2s) / s^3 in powers of s^2, |s| <= 1/3, highest first
  static constexpr float log_tail[] = {2 / 15.F, 2 / 13.F, 2 / 11.F, 2 / 9.F, 2 / 7.F, 2 / 5.F, 2 / 3.F};
};

template <>
struct Constants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  static constexpr double exp_underflows = -746;
  static constexpr double tanh_saturates = 80;
  static constexpr double round_to_integer = 0x1.8p52;
  static constexpr double exponent_bias = 1023;
  static constexpr double half_range = 512, two_to_minus_half_range = 0x1p-512;
  static constexpr int mantissa_bits = 52;
  static constexpr double exp_tail[] = {1 / 6227020800., 1 / 479001600., 1 / 39916800., 1 / 3628800.,
                                        1 / 362880.,     1 / 40320.,     1 / 5040.,     1 / 720.,
                                        1 / 120.,        1 / 24.,        1 / 6.,        1 / 2.};
  static constexpr double log_tail[] = {2 / 33., 2 / 31., 2 / 29., 2 / 27., 2 / 25., 2 / 23., 2 / 21., 2 / 19.,
                                        2 / 17., 2 / 15., 2 / 13., 2 / 11., 2 / 9.,  2 / 7.,  2 / 5.,  2 / 3.};
};

template <class D, class V, std::size_t count>
HWY_INLINE V Polynomial(D d, V x, const hn::TFromD<D> (&coefficients)[count]) {
  V sum = hn::Set(d, coefficients[0]);
#pragma GCC unroll 16
  for (std::size_t i = 1; i < count; ++i) sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
  return sum;
}

/// x = n * ln(2) + r with a whole n and |r| <= ln(2) / 2. The sum n + round_to_integer + exponent_bias + offset has the
/// exponent of 2^(n + offset) as its last bits.
template <class D, class V>
HWY_INLINE void Reduce(D d, V x, hn::TFromD<D> offset, V& sum, V& n, V& r) {
  using C = Constants<hn::TFromD<D>>;
  const V added = hn::Set(d, C::round_to_integer + C::exponent_bias + offset);
  sum = hn::MulAdd(x, hn::Set(d, C::log2_e), added);
  n = hn::Sub(sum, added);
  r = hn::NegMulAdd(n, hn::Set(d, C::ln2_high), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::ln2_low), r);
}

/// e^r - 1
template <class D, class V>
HWY_INLINE V Expm1Reduced(D d, V r) {
  return hn::MulAdd(Polynomial(d, r, Constants<hn::TFromD<D>>::exp_tail), hn::Mul(r, r), r);
}

/// 2^(n + offset) of Reduce's sum, where that is a normal number.
template <class D, class V>
HWY_INLINE V PowerOfTwo(D d, V sum) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::ShiftLeft<Constants<hn::TFromD<D>>::mantissa_bits>(hn::BitCast(bits, sum)));
}

/// The larger of x and a number, x where it is NaN: of two operands that cannot be compared, x86 takes the second.
template <class D, class V>
HWY_INLINE V AtLeast(D d, V x, hn::TFromD<D> low) {
  return hn::Max(hn::Set(d, low), x);
}
template <class D, class V>
HWY_INLINE V AtMost(D d, V x, hn::TFromD<D> high) {
  return hn::Min(hn::Set(d, high), x);
}

/// e^x for x <= 0
template <class D, class V>
HWY_INLINE V ExpOfNegative(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  V sum, n, r;
  Reduce(d, AtLeast(d, x, C::exp_underflows), C::half_range, sum, n, r);
  const V power = hn::Add(Expm1Reduced(d, r), hn::Set(d, 1));
  // Rounded once, by the second product, where the result is subnormal.
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(float)) {
    return V{_mm512_scalef_ps(power.raw, n.raw)};
  } else {
    return V{_mm512_scalef_pd(power.raw, n.raw)};
  }
#else
  return hn::Mul(hn::Mul(power, PowerOfTwo(d, sum)), hn::Set(d, C::two_to_minus_half_range));
#endif
}

/// -|x|
template <class D, class V>
HWY_INLINE V NegativeMagnitude(D d, V x) {
  return hn::Or(x, hn::SignBit(d));
}

/// A function before its division; the denominator is between 1 and e^80, so that two of them have a product.
template <class V>
struct Fraction {
  V numerator, denominator;
};

template <class D, class V>
HWY_INLINE Fraction<V> SigmoidFraction(D d, V x) {
  const V one = hn::Set(d, 1);
  const V e = ExpOfNegative(d, NegativeMagnitude(d, x));
  return {hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e)};
}

template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const Fraction<V> sigmoid = SigmoidFraction(d, x);
  return hn::Div(sigmoid.numerator, sigmoid.denominator);
}

/// e^x - 1 for |x| up to tanh_saturates
template <class D, class V>
HWY_INLINE V Expm1(D d, V x) {
  V sum, n, r;
  Reduce(d, x, 0, sum, n, r);
  const V power = PowerOfTwo(d, sum);
  return hn::MulAdd(Expm1Reduced(d, r), power, hn::Sub(power, hn::Set(d, 1)));
}

/// tanh but for its sign: (e^2y - 1) / (e^2y + 1) for y = -|x| or |x|: small ones by the first, whose denominator is
/// rounded half as coarsely, and great ones by the second, of which they hardly notice how e^2y was rounded.
template <class D, class V>
HWY_INLINE Fraction<V> TanhFraction(D d, V x) {
  const V magnitude = hn::Abs(x);
  const V side = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 1)), hn::Neg(magnitude), magnitude);
  const V e = Expm1(d, AtMost(d, hn::Add(side, side), Constants<hn::TFromD<D>>::tanh_saturates));
  return {e, hn::Add(e, hn::Set(d, 2))};
}

template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  const Fraction<V> tanh = TanhFraction(d, x);
  return hn::CopySign(hn::Div(tanh.numerator, tanh.denominator), x);
}

/// The sigmoid of x times the tanh of y with one division, rounded as often as two quotients and their product.
template <class D, class V>
HWY_INLINE V SigmoidTimesTanh(D d, V x, V y) {
  const Fraction<V> sigmoid = SigmoidFraction(d, x), tanh = TanhFraction(d, y);
  const V product = hn::Div(hn::Mul(sigmoid.numerator, tanh.numerator), hn::Mul(sigmoid.denominator, tanh.denominator));
  return hn::CopySign(product, y);
}

/// log(1 + u) for 0 <= u <= 1
template <class D, class V>
HWY_INLINE V Log1p(D d, V u) {
  const V s = hn::Div(u, hn::Add(hn::Set(d, 2), u));
  const V s2 = hn::Mul(s, s);
  const V tail = hn::Mul(s2, Polynomial(d, s2, Constants<hn::TFromD<D>>::log_tail));
  return hn::NegMulAdd(s, hn::Sub(u, tail), u);
}

template <class D, class V>
HWY_INLINE V Softplus(D d, V x) {
  return hn::Add(AtLeast(d, x, 0), Log1p(d, ExpOfNegative(d, NegativeMagnitude(d, x))));
}

template <class D, class V>
HWY_INLINE V Elu(D d, V x, V alpha) {
  const V e = Expm1(d, AtLeast(d, x, -Constants<hn::TFromD<D>>::tanh_saturates));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(alpha, e), x);
}

template <class D, class V>
HWY_INLINE V Softsign(D d, V x) {
  const V one = hn::Set(d, 1), magnitude = hn::Abs(x);
  const V ratio = hn::Div(x, hn::Add(one, magnitude));
  return hn::IfThenElse(hn::Eq(magnitude, hn::Inf(d)), hn::CopySign(one, x), ratio);
}

/// body(the function, of a vector). A NaN argument gives NaN in every function.
template <class D, class Body, class V = hn::Vec<D>>
HWY_INLINE void WithFunction(D d, const Activation& activation, const Body& body) {
  using Real = hn::TFromD<D>;
  const V alpha = hn::Set(d, static_cast<Real>(activation.alpha)),
          beta = hn::Set(d, static_cast<Real>(activation.beta));
  switch (activation.function) {
    case Function::Relu:
      return body([=](V x) HWY_ATTR { return AtLeast(d, x, 0); });
    case Function::Tanh:
      return body([=](V x) HWY_ATTR { return Tanh(d, x); });
    case Function::Sigmoid:
      return body([=](V x) HWY_ATTR { return Sigmoid(d, x); });
    case Function::Affine:
      return body([=](V x) HWY_ATTR { return hn::MulAdd(alpha, x, beta); });
    case Function::LeakyRelu:
      return body([=](V x) HWY_ATTR { return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(alpha, x), x); });
    case Function::ThresholdedRelu:
      return body([=](V x) HWY_ATTR { return hn::IfThenElse(hn::Lt(x, alpha), hn::Zero(d), x); });
    case Function::ScaledTanh:
      return body([=](V x) HWY_ATTR { return hn::Mul(alpha, Tanh(d, hn::Mul(beta, x))); });
    case Function::HardSigmoid:
      return body([=](V x) HWY_ATTR { return AtMost(d, AtLeast(d, hn::MulAdd(alpha, x, beta), 0), 1); });
    case Function::Elu:
      return body([=](V x) HWY_ATTR { return Elu(d, x, alpha); });
    case Function::Softsign:
      return body([=](V x) HWY_ATTR { return Softsign(d, x); });
    case Function::Softplus:
      return body([=](V x) HWY_ATTR { return Softplus(d, x); });
  }
}

/// Applies a function to one vector. Not inlined: the cells call it from many places.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE V Activate(D d, const Activation& activation, V x) {
  V result = x;
  WithFunction(d, activation, [&](const auto& function) HWY_ATTR { result = function(x); });
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
