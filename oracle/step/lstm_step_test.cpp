#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "oracle/step/step_of.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;

/// One unit whose gates are given by their biases alone, and whose cell was anywhere in a set before the step.
struct OneCell {
  double i, o, f, g;  ///< pre-activations
  ActivationKind h;

  Cell cell() const {
    Cell cell;
    cell.op = Operator::LSTM;
    cell.inputs = cell.hidden = cell.units = 1;
    cell.gates = cell.rows = 4;
    cell.terms = 4;
    cell.W = cell.R = cell.Rb = {0, 0, 0, 0};
    cell.Wb = {i, o, f, g};
    cell.activation = {Activation{ActivationKind::Sigmoid, 0, 0, true}, Activation{ActivationKind::Tanh, 0, 0, true},
                       Activation{h, 0.75, 0.25, true}};
    cell.summarise_weights();
    return cell;
  }
  static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
  double after(double before) const { return sigmoid(f) * before + sigmoid(i) * std::tanh(g); }
  double output(double after) const { return sigmoid(o) * value_of(Activation{h, 0.75, 0.25, true}, after); }
};

template <class Real>
class ObservedCell : public ::testing::Test {
 protected:
  /// The set of cells after a step from `before` whose output was `observed`, and nullptr where nothing was.
  Enclosure<Real> set_after(const OneCell& unit, const Enclosure<Real>& before, const double* observed) const {
    const Cell cell = unit.cell();
    const auto step = step_of<Real>(cell, f32, Tier::Certified);
    const double x = 0, radius = 0;
    const Real state = 0;
    StepSets<Real> sets{{before}, {}, {}};
    step->take({&x, &state, &radius}, observed, sets);
    EXPECT_TRUE(!observed || sets.matches[0].inside);
    return sets.C[0];
  }

  OneCell draw(ActivationKind h) {
    const auto number = [&](double most) {
      return static_cast<double>(static_cast<float>(std::uniform_real_distribution(-most, most)(engine_)));
    };
    return {number(3), number(3), number(3), number(2), h};
  }

  std::mt19937_64 engine_{4};
  const WorkingPrecision precision_{128};
};

using Reals = ::testing::Types<double, Ball>;
TYPED_TEST_SUITE(ObservedCell, Reals);

TYPED_TEST(ObservedCell, KeepsTheCellThatMadeTheElement) {
  using enum ActivationKind;
  for (const ActivationKind h : {Tanh, Sigmoid, Softplus, Softsign, Relu, LeakyRelu, ScaledTanh}) {
    for (int round = 0; round < 1000 && !this->HasFailure(); ++round) {
      const OneCell unit = this->draw(h);
      const double centre = std::uniform_real_distribution(-2.0, 2.0)(this->engine_);
      const double radius = std::ldexp(1.0, std::uniform_int_distribution(-26, -2)(this->engine_));
      const double before = centre + radius * std::uniform_real_distribution(-1.0, 1.0)(this->engine_);
      const double after = unit.after(before);
      const double observed = static_cast<float>(unit.output(after));
      const auto kept = this->set_after(unit, Enclosure<TypeParam>::around(centre, radius), &observed);
      EXPECT_LE(static_cast<double>(kept.lo), after) << static_cast<int>(h) << ", radius " << radius;
      EXPECT_GE(static_cast<double>(kept.hi), after) << static_cast<int>(h) << ", radius " << radius;
    }
  }
}

TYPED_TEST(ObservedCell, IsKnownBetterThanWithoutTheElement) {
  using enum ActivationKind;
  for (const ActivationKind h : {Tanh, Sigmoid, Softplus}) {
    const OneCell unit{0.5, 2, 1, -0.25, h};
    const auto before = Enclosure<TypeParam>::around(0.5, 0x1p-8);
    const double observed = static_cast<float>(unit.output(unit.after(0.5)));
    EXPECT_LT(this->set_after(unit, before, &observed).radius(), this->set_after(unit, before, nullptr).radius() / 50)
        << static_cast<int>(h);
  }
}

}  // namespace
}  // namespace cellproof::oracle
