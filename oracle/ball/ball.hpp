#pragma once

#include <cmath>
// Behind <cmath>, which undoes what C's <math.h> defines: macros by the names of functions on balls.
#include <mpfr.h>
// Behind MPFR: FLINT 3 declares its conversions only where MPFR is known.
#include <arb.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace cellproof::oracle {

/// Number of bits that the midpoints of this thread's balls have. Whoever sets it puts the old precision back.
class WorkingPrecision {
 public:
  explicit WorkingPrecision(int bits);
  ~WorkingPrecision() { current = before_; }
  WorkingPrecision(const WorkingPrecision&) = delete;
  WorkingPrecision& operator=(const WorkingPrecision&) = delete;

  static int bits() { return current; }

 private:
  inline static constinit thread_local int current = 128;
  int before_;
};

/// A number that is known up to a radius: Arb's ball [midpoint +- radius]. Operations and functions enclose every value
/// that they have over their arguments (F. Johansson, "Arb: Efficient Arbitrary-Precision Midpoint-Radius Interval
/// Arithmetic"), so a computation on balls carries its own rounding error with it; exponents have no limits, so nothing
/// underflows, though of e^x far to the left no more is kept than a bound. Infinities and NaN are as in IEEE 754; of a
/// quotient by what may be zero nothing is known but that it is a number.
///
/// Comparison operators compare midpoints, for those choices where either side is right. Where it matters, ask what is
/// sure.
class Ball {
 public:
  Ball() noexcept { arb_init(&x_); }
  // A double is a number like any other, also implicitly. NOLINTNEXTLINE(misc-explicit-constructor)
  Ball(double exactly) noexcept {
    arb_init(&x_);
    const auto bits = std::bit_cast<std::uint64_t>(exactly);
    const auto exponent = static_cast<slong>((bits >> 52) & 0x7ff);
    if (exponent == 0 || exponent == 0x7ff) {
      arb_set_d(&x_, exactly);
      return;
    }
    // As arb_set_d does it in general: a normal double is one limb, whose highest bit stands for 2^(exponent - 1).
    ARF_EXP(arb_midref(&x_)) = exponent - 1022;
    ARF_XSIZE(arb_midref(&x_)) = ARF_MAKE_XSIZE(1, bits >> 63);
    ARF_NOPTR_D(arb_midref(&x_))[0] = (bits | std::uint64_t{1} << 52) << 11;
  }
  Ball(const Ball& other) : x_(other.x_) {
    if (!is_flat(other.x_)) set_apart(other);
  }
  Ball(Ball&& other) noexcept : x_(other.x_) { arb_init(&other.x_); }
  Ball& operator=(const Ball& other) {
    if (is_flat(x_) && is_flat(other.x_)) {
      x_ = other.x_;
    } else {
      arb_set(&x_, &other.x_);
    }
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(&x_, &other.x_);
    return *this;
  }
  ~Ball() {
    if (!is_flat(x_)) arb_clear(&x_);
  }

  arb_ptr arb() { return &x_; }
  arb_srcptr arb() const { return &x_; }

  /// The midpoint rounded to nearest.
  explicit operator double() const;
  bool is_exact() const { return mag_is_zero(arb_radref(&x_)) != 0; }

  Ball operator-() const {
    Ball result;
    arb_neg(&result.x_, &x_);
    return result;
  }
  friend Ball operator+(const Ball& a, const Ball& b) { return of(arb_add, a, b); }
  friend Ball operator-(const Ball& a, const Ball& b) { return of(arb_sub, a, b); }
  friend Ball operator*(const Ball& a, const Ball& b) { return of(arb_mul, a, b); }
  friend Ball operator/(const Ball& a, const Ball& b) { return of(arb_div, a, b).of_numbers(a, b); }
  Ball& operator+=(const Ball& b) { return *this = *this + b; }
  Ball& operator-=(const Ball& b) { return *this = *this - b; }

  friend bool operator==(const Ball& a, const Ball& b) { return ordered(a, b) && order(a, b) == 0; }
  friend bool operator<(const Ball& a, const Ball& b) { return ordered(a, b) && order(a, b) < 0; }
  friend bool operator>(const Ball& a, const Ball& b) { return b < a; }
  friend bool operator<=(const Ball& a, const Ball& b) { return ordered(a, b) && order(a, b) <= 0; }
  friend bool operator>=(const Ball& a, const Ball& b) { return b <= a; }

  // Nearly all doubles that balls are compared with are 0, which needs no ball.
  friend bool operator==(const Ball& a, double b) {
    return b == 0 ? arf_is_zero(arb_midref(&a.x_)) != 0 : a == Ball(b);
  }
  friend bool operator<(const Ball& a, double b) { return b == 0 ? arf_sgn(arb_midref(&a.x_)) < 0 : a < Ball(b); }
  friend bool operator>(const Ball& a, double b) { return b == 0 ? arf_sgn(arb_midref(&a.x_)) > 0 : a > Ball(b); }
  friend bool operator<=(const Ball& a, double b) { return a < b || a == b; }
  friend bool operator>=(const Ball& a, double b) { return a > b || a == b; }

  friend bool isnan(const Ball& x) { return arf_is_nan(arb_midref(&x.x_)) != 0; }
  friend bool isinf(const Ball& x) { return arf_is_inf(arb_midref(&x.x_)) != 0; }
  friend bool isfinite(const Ball& x) { return arb_is_finite(&x.x_) != 0; }

  /// This result of two numbers: where Arb only knows that it knows nothing, any number, but not NaN.
  Ball&& of_numbers(const Ball& a, const Ball& b) &&;

 private:
  static Ball of(void (*operation)(arb_t, const arb_t, const arb_t, slong), const Ball& a, const Ball& b) {
    Ball result;
    operation(&result.x_, &a.x_, &b.x_, WorkingPrecision::bits());
    return result;
  }
  /// Does it own nothing on the heap? So it is with up to 128 bits and exponents of a usual size: nearly always. Such a
  /// ball may be copied and dropped as it stands.
  static bool is_flat(const arb_struct& x) {
    return !ARF_HAS_PTR(arb_midref(&x)) && !COEFF_IS_MPZ(ARF_EXP(arb_midref(&x))) &&
           !COEFF_IS_MPZ(MAG_EXP(arb_radref(&x)));
  }
  void set_apart(const Ball& other) {
    arb_init(&x_);
    arb_set(&x_, &other.x_);
  }
  static bool ordered(const Ball& a, const Ball& b) { return !isnan(a) && !isnan(b); }
  static int order(const Ball& a, const Ball& b) { return arf_cmp(arb_midref(&a.x_), arb_midref(&b.x_)); }

  arb_struct x_;
};

/// True of every pair of numbers in the two balls.
bool surely_less(const Ball& a, const Ball& b);
bool surely_at_most(const Ball& a, const Ball& b);

/// True of every number in the ball: is it 0 or on that side?
inline bool surely_not_negative(const Ball& x) {
  return arb_is_nonnegative(x.arb()) != 0;
}
inline bool surely_not_positive(const Ball& x) {
  return arb_is_nonpositive(x.arb()) != 0;
}

/// The smallest double that no number in the ball exceeds, and the largest that none falls below.
double upper(const Ball& x);
double lower(const Ball& x);

/// The midpoint alone.
Ball midpoint(const Ball& x);

/// A number that none in the ball falls below, and one that none exceeds; an exact one is its own bound.
Ball lower_bound(const Ball& x);
Ball upper_bound(const Ball& x);

/// The midpoint as a double that is rounded to odd: rounding it on, to nearest in a format of at most 51 bits, gives
/// what rounding the midpoint itself would have given.
double to_odd(const Ball& x);

/// The lower and the upper number of each pair.
Ball min(const Ball& a, const Ball& b);
Ball max(const Ball& a, const Ball& b);

/// Everything in either.
Ball joined(const Ball& a, const Ball& b);

/// f(x) where `at_least` says what f is for x >= 0 and `below` what it is for x < 0; both where x may be either.
Ball by_sign(const Ball& x, const Ball& at_least, const Ball& below);

Ball abs(const Ball& x);
Ball exp(const Ball& x);
Ball expm1(const Ball& x);
Ball log1p(const Ball& x);
Ball tanh(const Ball& x);

/// Every number of the ball rounded to so many significant bits, ties to even; 0: not at all.
Ball with_bits(const Ball& x, int bits);

/// Exponent of the lowest set bit of an exact number (oracle/step/grid.hpp).
int lowest_bit(const Ball& x);

}  // namespace cellproof::oracle

template <>
class std::numeric_limits<cellproof::oracle::Ball> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = true, has_quiet_NaN = true;
  static cellproof::oracle::Ball infinity() { return {std::numeric_limits<double>::infinity()}; }
  static cellproof::oracle::Ball quiet_NaN() { return {std::numeric_limits<double>::quiet_NaN()}; }
};
