#include "oracle/ball/ball.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "oracle/lowest_bit.hpp"

namespace cellproof::oracle {
namespace {

/// Arb keeps constants and memory for each thread that it works in; they go when the thread does.
struct ArbOfThread {
  ~ArbOfThread() { flint_cleanup(); }
};

/// More bits than the result is to have: what a function loses inside should not show in its radius.
constexpr slong spare_bits = 16;

using Function = void (*)(arb_t, const arb_t, slong);

Ball applied(Function function, const Ball& x) {
  Ball result;
  function(result.arb(), x.arb(), WorkingPrecision::bits() + spare_bits);
  arb_set_round(result.arb(), result.arb(), WorkingPrecision::bits());
  return std::move(result).of_numbers(x, x);
}

/// From here on e^-|x| is less than 2^-vanishing_exponent: of what is so small nothing but its bound is of use, while
/// its exponent may need more digits than all of the rest.
constexpr double far_out = 0x1p40;
constexpr slong vanishing_exponent = slong{1} << 40;

/// Everything from 0 to 2^-vanishing_exponent.
Ball vanishing() {
  Ball result;
  arf_set_ui_2exp_si(arb_midref(result.arb()), 1, -vanishing_exponent - 1);
  mag_set_ui_2exp_si(arb_radref(result.arb()), 1, -vanishing_exponent - 1);
  return result;
}

/// This number up to 2^-vanishing_exponent.
Ball nearly(int number) {
  Ball result(number);
  mag_set_ui_2exp_si(arb_radref(result.arb()), 1, -vanishing_exponent);
  return result;
}

/// Is every number in the ball finite and on that side of everything that is not far out?
bool is_far_below(const Ball& x) {
  return isfinite(x) && surely_less(x, -far_out);
}
bool is_far_above(const Ball& x) {
  return isfinite(x) && surely_less(far_out, x);
}

/// Bounds need no more bits than this to become doubles.
constexpr slong bound_bits = 64;
constexpr slong comparison_bits = 30;

/// Is b surely greater than a, even by a rounded difference? True nearly always where it is, and Arb's own comparison,
/// which rounds nothing, takes several times as long.
bool are_apart(const Ball& a, const Ball& b) {
  Ball difference;
  arb_sub(difference.arb(), b.arb(), a.arb(), comparison_bits);
  return arb_is_positive(difference.arb()) != 0;
}

/// The leading 64 bits of a number, and what is known of the rest.
struct Leading {
  bool usual =
      false;  ///< a number other than 0 that is nowhere near the ends of double's range; otherwise nothing holds
  bool negative = false;
  bool more = false;       ///< is there more than the leading bits?
  std::uint64_t bits = 0;  ///< the highest one is set
  slong exponent = 0;      ///< the highest one stands for 2^(exponent - 1)

  explicit Leading(const arf_t x) {
    const slong limbs = static_cast<slong>(ARF_SIZE(x));
    exponent = ARF_EXP(x);
    usual = limbs > 0 && -900 < exponent && exponent < 900;
    if (!usual) return;
    negative = ARF_SGNBIT(x) != 0;
    more = limbs > 1;  // the lowest limb of a number is never 0
    bits = ARF_HAS_PTR(x) ? ARF_PTR_D(x)[limbs - 1] : ARF_NOPTR_D(x)[limbs - 1];
  }

  static constexpr int dropped = 11;  ///< so many of the leading bits have no room in a double
  std::uint64_t kept() const { return bits >> dropped; }
  std::uint64_t rest() const { return bits & ((std::uint64_t{1} << dropped) - 1); }
  /// Number that `kept` stands for, after it was rounded in whichever way.
  double value_of(std::uint64_t kept_bits) const {
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - 53 + 1023) << 52);
    const double magnitude = static_cast<double>(kept_bits) * scale;
    return negative ? -magnitude : magnitude;
  }
};

double nearest_double(const arf_t x) {
  const Leading lead(x);
  if (!lead.usual) return arf_get_d(x, ARF_RND_NEAR);
  constexpr std::uint64_t half = std::uint64_t{1} << (Leading::dropped - 1);
  const bool up = lead.rest() > half || (lead.rest() == half && (lead.more || (lead.kept() & 1) != 0));
  return lead.value_of(lead.kept() + (up ? 1 : 0));
}

/// Rounded to odd: to the neighbour whose last bit is 1, where it is not a double itself.
double odd_double(const arf_t x) {
  const Leading lead(x);
  if (lead.usual) return lead.value_of(lead.kept() | (lead.more || lead.rest() != 0 ? 1 : 0));
  const double below = arf_get_d(x, ARF_RND_FLOOR), above = arf_get_d(x, ARF_RND_CEIL);
  return (std::bit_cast<std::uint64_t>(below) & 1) == 1 ? below : above;
}

/// The end of a ball on one side, rounded to a double beyond it, where the leading bits suffice to tell: the radius is
/// less than one unit of their last.
std::optional<double> quick_bound(const Ball& x, bool is_upper) {
  const Leading lead(arb_midref(x.arb()));
  if (!lead.usual) return std::nullopt;
  const bool exact = x.is_exact();
  if (!exact && mag_is_special(arb_radref(x.arb())) != 0) return std::nullopt;  // infinite
  if (!exact && MAG_EXP(arb_radref(x.arb())) > lead.exponent - 64) return std::nullopt;
  if (lead.negative != is_upper) {  // away from 0
    if (exact) return lead.value_of(lead.kept() + (lead.more || lead.rest() != 0 ? 1 : 0));
    constexpr std::uint64_t all = (std::uint64_t{1} << Leading::dropped) - 1;
    if (lead.rest() < all) return lead.value_of(lead.kept() + 1);
  } else if (exact || lead.rest() > 0) {  // towards 0
    return lead.value_of(lead.kept());
  }
  return std::nullopt;
}

/// As are_apart, by bounds that are doubles: sooner still, and most balls that differ do so in a double.
bool are_far_apart(const Ball& a, const Ball& b) {
  const auto below = quick_bound(a, true), above = quick_bound(b, false);
  return below && above && *below < *above;
}

}  // namespace

WorkingPrecision::WorkingPrecision(int bits) : before_(current) {
  thread_local const ArbOfThread cleaned_up;
  static_cast<void>(cleaned_up);
  current = bits;
}

Ball::operator double() const {
  return nearest_double(arb_midref(&x_));
}

Ball&& Ball::of_numbers(const Ball& a, const Ball& b) && {
  // A ball of infinite radius holds numbers only, as long as its midpoint is one.
  const bool numbers = arf_is_finite(arb_midref(a.arb())) != 0 && arf_is_finite(arb_midref(b.arb())) != 0;
  if (isnan(*this) && numbers) arb_zero_pm_inf(arb());
  return std::move(*this);
}

bool surely_less(const Ball& a, const Ball& b) {
  // Most of what is compared is compared with 0.
  if (arb_is_zero(a.arb()) != 0) return arb_is_positive(b.arb()) != 0;
  if (arb_is_zero(b.arb()) != 0) return arb_is_negative(a.arb()) != 0;
  return a < b &&
         ((a.is_exact() && b.is_exact()) || are_far_apart(a, b) || are_apart(a, b) || arb_lt(a.arb(), b.arb()));
}

bool surely_at_most(const Ball& a, const Ball& b) {
  if (arb_is_zero(a.arb()) != 0) return !isnan(b) && surely_not_negative(b);
  if (arb_is_zero(b.arb()) != 0) return !isnan(a) && surely_not_positive(a);
  return a <= b &&
         ((a.is_exact() && b.is_exact()) || are_far_apart(a, b) || are_apart(a, b) || arb_le(a.arb(), b.arb()));
}

double upper(const Ball& x) {
  if (const auto bound = quick_bound(x, true)) return *bound;
  if (isnan(x)) return static_cast<double>(x);
  Ball bound;
  arb_get_ubound_arf(arb_midref(bound.arb()), x.arb(), bound_bits);
  return arf_get_d(arb_midref(bound.arb()), ARF_RND_CEIL);
}

double lower(const Ball& x) {
  if (const auto bound = quick_bound(x, false)) return *bound;
  if (isnan(x)) return static_cast<double>(x);
  Ball bound;
  arb_get_lbound_arf(arb_midref(bound.arb()), x.arb(), bound_bits);
  return arf_get_d(arb_midref(bound.arb()), ARF_RND_FLOOR);
}

Ball midpoint(const Ball& x) {
  Ball result;
  arb_get_mid_arb(result.arb(), x.arb());
  return result;
}

double to_odd(const Ball& x) {
  return odd_double(arb_midref(x.arb()));
}

Ball lower_bound(const Ball& x) {
  Ball result;
  arb_get_lbound_arf(arb_midref(result.arb()), x.arb(), WorkingPrecision::bits());
  return x.is_exact() ? x : result;
}

Ball upper_bound(const Ball& x) {
  Ball result;
  arb_get_ubound_arf(arb_midref(result.arb()), x.arb(), WorkingPrecision::bits());
  return x.is_exact() ? x : result;
}

Ball min(const Ball& a, const Ball& b) {
  if (isnan(a) || isnan(b) || surely_at_most(a, b)) return a;  // as std::min, whose comparison with NaN is false
  if (surely_at_most(b, a)) return b;
  Ball result;
  arb_min(result.arb(), a.arb(), b.arb(), WorkingPrecision::bits());
  if (isnan(result)) arb_zero_pm_inf(result.arb());
  return result;
}

Ball max(const Ball& a, const Ball& b) {
  if (isnan(a) || isnan(b) || surely_at_most(b, a)) return a;
  if (surely_at_most(a, b)) return b;
  Ball result;
  arb_max(result.arb(), a.arb(), b.arb(), WorkingPrecision::bits());
  if (isnan(result)) arb_zero_pm_inf(result.arb());
  return result;
}

Ball joined(const Ball& a, const Ball& b) {
  Ball result;
  arb_union(result.arb(), a.arb(), b.arb(), WorkingPrecision::bits());
  return result;
}

Ball by_sign(const Ball& x, const Ball& at_least, const Ball& below) {
  if (surely_at_most(0, x)) return at_least;
  if (surely_less(x, 0) || isnan(x)) return below;
  return joined(at_least, below);
}

Ball abs(const Ball& x) {
  Ball result;
  if (!x.is_exact() && arb_contains_zero(x.arb())) {  // Arb's own result would reach as far below 0
    arb_get_abs_ubound_arf(arb_midref(result.arb()), x.arb(), WorkingPrecision::bits());
    return joined(0, result);
  }
  arb_abs(result.arb(), x.arb());
  return result;
}

Ball exp(const Ball& x) {
  return is_far_below(x) ? vanishing() : applied(arb_exp, x);
}

Ball expm1(const Ball& x) {
  if (isinf(x) && x < 0) return -1;
  return is_far_below(x) ? nearly(-1) : applied(arb_expm1, x);
}

Ball log1p(const Ball& x) {
  return applied(arb_log1p, x);
}

Ball tanh(const Ball& x) {
  if (isinf(x)) return x < 0 ? -1 : 1;
  if (is_far_below(x) || is_far_above(x)) return nearly(x < 0 ? -1 : 1);
  return applied(arb_tanh, x);
}

Ball with_bits(const Ball& x, int bits) {
  if (bits == 0 || !isfinite(x)) return x;
  Ball lowest = lower_bound(x), highest = upper_bound(x);
  for (Ball* end : {&lowest, &highest})
    arf_set_round(arb_midref(end->arb()), arb_midref(end->arb()), bits, ARF_RND_NEAR);
  return lowest == highest ? lowest : joined(lowest, highest);
}

int lowest_bit(const Ball& x) {
  if (!isfinite(x) || !x.is_exact()) return no_grid;
  if (arf_is_zero(arb_midref(x.arb()))) return any_grid;
  fmpz_t exponent;
  fmpz_init(exponent);
  arf_bot(exponent, arb_midref(x.arb()));
  const bool far = fmpz_cmp_si(exponent, no_grid) <= 0 || fmpz_cmp_si(exponent, any_grid) >= 0;
  const int bit = far ? no_grid : static_cast<int>(fmpz_get_si(exponent));
  fmpz_clear(exponent);
  return bit;
}

}  // namespace cellproof::oracle
