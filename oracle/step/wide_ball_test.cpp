#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "oracle/step/activation.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;
using BallSet = Enclosure<Ball>;

/// Sets whose ends are balls far wider than the numbers they stand for, as they come out of a difference of huge
/// numbers: what is computed of them must still hold what can be computed of their members.
class WideBalls : public ::testing::Test {
 protected:
  double number() {
    const int exponent =
        std::uniform_int_distribution(-20, std::uniform_int_distribution(0, 9)(engine_) ? 8 : 400)(engine_);
    return std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(engine_), exponent);
  }

  /// A ball that holds the number, its midpoint anywhere in it.
  Ball ball_around(double x) {
    const int kind = std::uniform_int_distribution(0, 3)(engine_);
    if (kind == 0) return x;
    Ball ball = x;
    const double radius = kind == 3 ? infinity : std::ldexp(1.0, std::uniform_int_distribution(-30, 420)(engine_));
    if (std::isfinite(radius)) ball += Ball(radius * std::uniform_real_distribution(-1.0, 1.0)(engine_));
    Ball spread = 0;
    mag_set_d(arb_radref(spread.arb()), radius);
    return kind == 3 ? spread : ball + spread;
  }

  struct Drawn {
    BallSet set;
    std::array<double, 3> members;
  };
  Drawn draw() {
    double a = number(), b = number();
    if (b < a) std::swap(a, b);
    const double middle = a + (b - a) * 0.375;
    return {{ball_around(middle), ball_around(a), ball_around(b), 0}, {a, middle, b}};
  }

  std::mt19937_64 engine_{20};
  const WorkingPrecision precision_{128};
};

void expect_holds(const BallSet& set, const Ball& value, const char* what) {
  EXPECT_FALSE(set.empty()) << what;
  EXPECT_FALSE(surely_less(value, set.lo)) << what << " of " << static_cast<double>(value);
  EXPECT_FALSE(surely_less(set.hi, value)) << what << " of " << static_cast<double>(value);
}

TEST_F(WideBalls, KeepWhatTheirMembersGive) {
  for (int round = 0; round < 20000 && !HasFailure(); ++round) {
    const Drawn x = draw(), y = draw(), z = draw();
    const BallSet added = sum(x.set, y.set), multiplied = product(x.set, y.set), blended = blend(z.set, x.set, y.set);
    const BallSet either = hull(x.set, y.set), chained = product(sum(x.set, y.set), z.set);
    for (const double a : x.members) {
      expect_holds(either, a, "hull");
      for (const double b : y.members) {
        expect_holds(added, Ball(a) + b, "sum");
        expect_holds(multiplied, Ball(a) * b, "product");
        for (const double c : z.members) {
          expect_holds(blended, (1 - Ball(c)) * a + Ball(c) * b, "blend");
          expect_holds(chained, (Ball(a) + b) * c, "product of a sum");
        }
      }
    }
  }
}

TEST_F(WideBalls, BesideAnInfinityMayBeAnything) {
  Ball any = 0;
  mag_inf(arb_radref(any.arb()));
  expect_holds(product(BallSet{2, 0, infinity, 0}, BallSet{3, any, any, 0}), 6, "product");
}

TEST_F(WideBalls, KeepTheValuesOfFunctionsOfTheirMembers) {
  using enum ActivationKind;
  const Arithmetic f64 = arithmetic_of(ContractId::F64, ElementType::Double);
  for (const ActivationKind kind :
       {Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus}) {
    for (const double alpha : {0.25, -1.5, 0.0}) {
      const Activation function{kind, alpha, 0.5, true};
      for (int round = 0; round < 500 && !HasFailure(); ++round) {
        const Drawn x = draw();
        const Image<Ball> values = image(function, x.set, f64);
        for (const double member : x.members) {
          const Ball value = value_of(function, Ball(member));
          bool held = false;
          for (int part = 0; part < values.count; ++part) {
            const BallSet& set = values.parts[static_cast<std::size_t>(part)];
            held = held || (!set.empty() && !surely_less(value, set.lo) && !surely_less(set.hi, value));
          }
          EXPECT_TRUE(held) << "function " << static_cast<int>(kind) << " of " << member;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::oracle
