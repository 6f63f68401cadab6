// Arb's balls against MPFR at 400 bits, and against what must be exact.
#include "oracle/ball/ball.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "oracle/testing/numbers.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;

constexpr int many_bits = 400;

/// An MPFR number that knows nothing of Arb.
class Mpfr {
 public:
  explicit Mpfr(double value = 0) {
    mpfr_init2(x_, many_bits);
    mpfr_set_d(x_, value, MPFR_RNDN);
  }
  Mpfr(const Mpfr& other) : Mpfr() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  Mpfr& operator=(const Mpfr& other) {
    mpfr_set(x_, other.x_, MPFR_RNDN);
    return *this;
  }
  ~Mpfr() { mpfr_clear(x_); }
  mpfr_ptr get() { return x_; }
  mpfr_srcptr get() const { return x_; }

 private:
  mpfr_t x_;
};

/// Is the number within the ball, or so near that MPFR's own last bits decide?
bool holds(const Ball& ball, const Mpfr& value) {
  Ball exactly;
  arf_set_mpfr(arb_midref(exactly.arb()), value.get());
  Ball near = exactly;
  mag_set_ui_2exp_si(arb_radref(near.arb()), 1, std::max(-4000L, static_cast<long>(mpfr_get_exp(value.get()))) - 380);
  return !surely_less(ball, near) && !surely_less(near, ball);
}

/// Number of bits of the ball's number that are known.
long known_bits(const Ball& x) {
  return arb_rel_accuracy_bits(x.arb());
}

struct Row {
  const char* name;
  Ball (*ours)(const Ball&);
  int (*theirs)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};
const Row functions[] = {{"exp", exp, mpfr_exp},
                         {"expm1", expm1, mpfr_expm1},
                         {"log1p", log1p, mpfr_log1p},
                         {"tanh", tanh, mpfr_tanh},
                         {"abs", abs, mpfr_abs}};

TEST(BallFunctions, HoldWhatMpfrGivesAndLittleElse) {
  for (const int bits : {128, 256}) {
    const WorkingPrecision precision(bits);
    for (const Row& f : functions) {
      for (const double x : {0x1p-1074, 1e-300, -1e-20, 1e-3, 0.3, -0.7, 1.0, 5.5, 40.0, 300.0, -30.0}) {
        if (f.ours == &log1p && x <= -1) continue;
        Mpfr expected;
        f.theirs(expected.get(), Mpfr(x).get(), MPFR_RNDN);
        const Ball y = f.ours(x);
        EXPECT_TRUE(holds(y, expected)) << f.name << "(" << x << ") with " << bits;
        EXPECT_GE(known_bits(y), bits - 2) << f.name << "(" << x << ")";
      }
    }
  }
}

TEST(BallFunctions, OfAWideBallHoldTheValuesOfAllItsNumbers) {
  const WorkingPrecision precision(128);
  for (const Row& f : functions) {
    for (const double x : {-0.375, -0x1p-10, 0.0, 0.25, 3.0}) {
      Ball wide = x;
      mag_set_ui_2exp_si(arb_radref(wide.arb()), 1, -2);
      for (double inside = x - 0.25; inside <= x + 0.25; inside += 0x1p-5) {
        Mpfr value;
        f.theirs(value.get(), Mpfr(inside).get(), MPFR_RNDN);
        EXPECT_TRUE(holds(f.ours(wide), value)) << f.name << " of " << x << " +- 0.25 at " << inside;
      }
    }
  }
}

TEST(BallFunctions, HaveTheirLimitsAtInfinity) {
  EXPECT_EQ(tanh(-infinity), -1);
  EXPECT_EQ(exp(-infinity), 0);
  EXPECT_EQ(expm1(-infinity), -1);
  EXPECT_TRUE(tanh(infinity).is_exact());
  EXPECT_TRUE(isnan(Ball(infinity) - Ball(infinity)));
  EXPECT_TRUE(isnan(Ball(infinity) * Ball(0)));
  EXPECT_TRUE(isnan(tanh(std::nan(""))));
  EXPECT_EQ(exp(-1e300) < 0x1p-1074, true);  // nothing underflows, nothing hangs
  EXPECT_TRUE(isfinite(exp(-1e300)));
}

TEST(BallFunctions, HoldFarOutWhatArbGivesThere) {
  struct Far {
    Ball (*ours)(const Ball&);
    void (*arbs)(arb_t, const arb_t, slong);
  };
  for (const auto& [ours, arbs] : {Far{exp, arb_exp}, Far{expm1, arb_expm1}, Far{tanh, arb_tanh}}) {
    for (const double x : {-0x1p40, -0x1.8p40, -0x1p41, -1e30, -1e300, 0x1p41, 1e30}) {
      if (x > 0 && ours != static_cast<Ball (*)(const Ball&)>(tanh)) continue;
      for (const double radius : {0.0, 1.0, 0x1p39}) {
        Ball argument = x, theirs;
        mag_set_d(arb_radref(argument.arb()), radius);
        arbs(theirs.arb(), argument.arb(), 200);
        const Ball value = ours(argument);
        EXPECT_FALSE(surely_less(value, theirs) || surely_less(theirs, value)) << x << " +- " << radius;
        EXPECT_TRUE(isfinite(value) && !value.is_exact());
        EXPECT_LE(upper(value) - lower(value), 0x1p-50) << x << " +- " << radius;
      }
    }
    Ball from_far_out_to_five = -0x1p42;
    mag_set_d(arb_radref(from_far_out_to_five.arb()), 0x1p42 + 5);
    EXPECT_FALSE(surely_less(ours(from_far_out_to_five), ours(5)));
    EXPECT_FALSE(surely_less(ours(-0x1p42), ours(from_far_out_to_five)));
  }
  EXPECT_EQ(1 / (1 + exp(-1e300)), 1);
  EXPECT_EQ(upper(exp(-1e300)), std::numeric_limits<double>::denorm_min());
}

TEST(Ball, OfAQuotientByWhatMayBeZeroIsAnyNumberButNotNan) {
  Ball maybe_zero = 0;
  mag_set_d(arb_radref(maybe_zero.arb()), 1e-3);
  const Ball q = 1 / maybe_zero;
  EXPECT_FALSE(isnan(q));
  EXPECT_FALSE(surely_less(q, 1e300));
  EXPECT_FALSE(surely_less(-1e300, q));
  EXPECT_FALSE(isnan(max(q, Ball(0))));
  EXPECT_EQ(upper(q), infinity);
}

TEST(Ball, OfWhatMayBeAnyNumberIsANumber) {
  Ball any = 0;
  mag_inf(arb_radref(any.arb()));
  for (const Ball& value : {exp(any), expm1(any), log1p(any), tanh(any), abs(any), 1 / any, any / 3, min(any, Ball(1)),
                            max(any, Ball(1)), by_sign(any, any, Ball(2))}) {
    EXPECT_FALSE(isnan(value));
    EXPECT_FALSE(surely_less(value, 1));
    EXPECT_FALSE(surely_less(1, value));
  }
}

TEST(Ball, OfAMagnitudeIsNotNegative) {
  Ball around_zero = 1;
  mag_set_d(arb_radref(around_zero.arb()), 4);
  EXPECT_FALSE(surely_less(0, abs(around_zero)));
  EXPECT_GT(lower(abs(around_zero)), -1e-6);
  EXPECT_FALSE(surely_less(abs(around_zero), 5));
  EXPECT_LT(upper(abs(around_zero)), 5 + 1e-6);
}

/// A random expression over +, -, *, / and the functions, built at once in balls and in MPFR.
struct Pair {
  Ball ball;
  Mpfr exact;
};

Pair random_expression(int depth) {
  if (depth == 0) {
    const double value = std::ldexp(*rc::gen::inRange(-1'000'000, 1'000'000), *rc::gen::inRange(-40, 0));
    return {value, Mpfr(value)};
  }
  const Pair a = random_expression(depth - 1);
  const int kind = *rc::gen::inRange(0, 7);
  if (kind >= 3) {
    const Row& f = functions[kind - 3 + (kind > 4 ? 1 : 0)];  // not log1p, whose argument may be anything here
    // Exponentials of exponentials leave every range; the argument is brought to where the functions bend.
    Ball bent = tanh(a.ball);
    Mpfr bent_exact, value;
    mpfr_tanh(bent_exact.get(), a.exact.get(), MPFR_RNDN);
    f.theirs(value.get(), bent_exact.get(), MPFR_RNDN);
    return {f.ours(bent), value};
  }
  const Pair b = random_expression(depth - 1);
  Mpfr value;
  (kind == 0 ? mpfr_add : kind == 1 ? mpfr_sub : mpfr_mul)(value.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
  return {kind == 0 ? a.ball + b.ball : kind == 1 ? a.ball - b.ball : a.ball * b.ball, value};
}

RC_GTEST_PROP(BallProperty, ExpressionsHoldTheirValueOfAHundredDigits, ()) {
  const WorkingPrecision precision(*rc::gen::element(64, 128, 192));
  const Pair pair = random_expression(*rc::gen::inRange(1, 6));
  RC_ASSERT(holds(pair.ball, pair.exact));
}

/// A ball around any number of any size, with a radius of any size.
Ball any_ball() {
  const int bits = *rc::gen::element(53, 64, 65, 128, 300);
  const auto leading = *rc::gen::element<std::int64_t>(
      1, 3, (std::int64_t{1} << 53) - 1, std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1,
      std::int64_t{0x7ffffffffffffc01}, std::int64_t{0x7fffffffffffffff}, *rc::gen::arbitrary<std::int64_t>());
  Ball x;
  arf_set_si(arb_midref(x.arb()), *rc::gen::arbitrary<bool>() ? leading : -leading);
  if (*rc::gen::arbitrary<bool>()) {  // more than the leading bits
    Ball tail = 1;
    arb_mul_2exp_si(tail.arb(), tail.arb(), -*rc::gen::inRange(1, bits));
    arf_add(arb_midref(x.arb()), arb_midref(x.arb()), arb_midref(tail.arb()), ARF_PREC_EXACT, ARF_RND_DOWN);
  }
  if (*rc::gen::arbitrary<bool>())
    mag_set_ui_2exp_si(arb_radref(x.arb()), *rc::gen::inRange(1, 99), -*rc::gen::inRange(-9, 120));
  if (*rc::gen::inRange(0, 20) == 0) mag_inf(arb_radref(x.arb()));
  arb_mul_2exp_si(x.arb(), x.arb(), *rc::gen::element(0, -60, 700, -980, -1100, 1000, *rc::gen::inRange(-1200, 1200)));
  return x;
}

RC_GTEST_PROP(BallProperty, BecomesADoubleAsArbRoundsIt, ()) {
  const Ball x = any_ball();
  RC_ASSERT(static_cast<double>(x) == arf_get_d(arb_midref(x.arb()), ARF_RND_NEAR));
  Ball above, below;
  arb_get_ubound_arf(arb_midref(above.arb()), x.arb(), 4000);
  arb_get_lbound_arf(arb_midref(below.arb()), x.arb(), 4000);
  RC_ASSERT(upper(x) == arf_get_d(arb_midref(above.arb()), ARF_RND_CEIL));
  RC_ASSERT(lower(x) == arf_get_d(arb_midref(below.arb()), ARF_RND_FLOOR));
  const double floor = arf_get_d(arb_midref(x.arb()), ARF_RND_FLOOR);
  const double ceiling = arf_get_d(arb_midref(x.arb()), ARF_RND_CEIL);
  const bool is_odd = (std::bit_cast<std::uint64_t>(floor) & 1) == 1;
  RC_ASSERT(to_odd(x) == (is_odd ? floor : ceiling));
}

RC_GTEST_PROP(BallProperty, OfADoubleIsThatDouble, ()) {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const double value = *rc::gen::element(std::bit_cast<double>(bits), std::ldexp(1.0, *rc::gen::inRange(-1074, 1024)),
                                         0.0, -0.0, infinity, std::numeric_limits<double>::max());
  const Ball ours = value;
  Ball theirs;
  arb_set_d(theirs.arb(), value);
  RC_ASSERT(arb_equal(ours.arb(), theirs.arb()) != 0 || std::isnan(value));
  RC_ASSERT(std::isnan(value) == isnan(ours));
  RC_ASSERT((ours < 0.0) == (value < 0) && (ours == 0.0) == (value == 0) && (ours >= 0.0) == (value >= 0));
}

RC_GTEST_PROP(BallProperty, IsCopiedWhatever, ()) {
  const Ball x = any_ball(), y = any_ball();
  Ball copy = x, assigned = y;
  assigned = copy;
  RC_ASSERT(arb_equal(copy.arb(), x.arb()) != 0 && arb_equal(assigned.arb(), x.arb()) != 0);
  copy += 1;  // belongs to nobody else
  RC_ASSERT(arb_equal(assigned.arb(), x.arb()) != 0);
  const Ball* const self = &assigned;
  assigned = *self;
  RC_ASSERT(arb_equal(assigned.arb(), x.arb()) != 0);
}

RC_GTEST_PROP(BallProperty, IsLessWhereArbSaysSo, ()) {
  const Ball x = any_ball(), y = any_ball();
  RC_ASSERT(surely_less(x, y) == (arb_lt(x.arb(), y.arb()) != 0));
  RC_ASSERT(surely_at_most(x, y) == (arb_le(x.arb(), y.arb()) != 0));
  const Ball zero = 0;
  RC_ASSERT(surely_less(x, zero) == (arb_lt(x.arb(), zero.arb()) != 0));
  RC_ASSERT(surely_less(zero, x) == (arb_lt(zero.arb(), x.arb()) != 0));
  RC_ASSERT(surely_at_most(x, zero) == (arb_le(x.arb(), zero.arb()) != 0));
  RC_ASSERT(surely_at_most(zero, x) == (arb_le(zero.arb(), x.arb()) != 0));
}

TEST(Ball, OfNoNumberIsOnNoSideOfZero) {
  const Ball zero = 0, nan = std::nan("");
  EXPECT_FALSE(surely_less(nan, zero) || surely_less(zero, nan));
  EXPECT_FALSE(surely_at_most(nan, zero) || surely_at_most(zero, nan));
}

RC_GTEST_PROP(BallProperty, BoundsAsDoublesLieOutside, ()) {
  const WorkingPrecision precision(128);
  const Ball x = tanh(std::ldexp(*rc::gen::inRange(-1'000'000, 1'000'000), *rc::gen::inRange(-1060, -18)));
  RC_ASSERT(surely_at_most(lower(x), x));
  RC_ASSERT(surely_at_most(x, upper(x)));
  RC_ASSERT(std::nextafter(std::nextafter(lower(x), infinity), infinity) >= upper(x));
}

}  // namespace
}  // namespace cellproof::oracle
