#include "spec/values/regime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "spec/content_hash.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof {
namespace {

constexpr std::pair<Role, const char*> roles[] = {
    {Role::Data, "Data"},   {Role::InputWeight, "InputWeight"}, {Role::RecurrentWeight, "RecurrentWeight"},
    {Role::Bias, "Bias"},   {Role::Peephole, "Peephole"},       {Role::State, "State"},
    {Role::Scale, "Scale"}, {Role::ZeroPoint, "ZeroPoint"},     {Role::RecurrentScale, "RecurrentScale"}};

Tensor filled(ElementType type, Shape shape, Regime regime, Role role, std::int64_t fan_in = 5, std::uint64_t seed = 1,
              std::string_view name = "W") {
  Tensor tensor(type, std::move(shape));
  fill(tensor, regime, role, seed, name, fan_in);
  return tensor;
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.value(i);
  return values;
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

TEST(Regime, EveryNameLeadsBack) {
  for (const Regime regime : all_regimes()) EXPECT_EQ(regime_named(name(regime)), regime);
  EXPECT_EQ(name(Regime::ExactDyadic), "exact");
  EXPECT_EQ(regime_named("Normal"), std::nullopt);
}

/// The same line must make the same bits on every machine for ever: a changed line here is another format version.
TEST(Regime, GoldenHashes) {
  std::ostringstream actual;
  for (const Regime regime : all_regimes()) {
    for (const auto& [role, role_name] : roles) {
      actual << name(regime) << ' ' << role_name;
      for (const ElementType type : all_element_types()) {
        actual << ' ' << content_hash(filled(type, {2, 40}, regime, role).bytes());
      }
      actual << '\n';
    }
  }
  const std::string file = CELLPROOF_SOURCE_DIR "/spec/values/golden_hashes.txt";
  std::ifstream golden(file);
  std::string expected, line;
  while (std::getline(golden, line)) {
    if (!line.starts_with('#')) expected += line + '\n';
  }
  EXPECT_EQ(actual.str(), expected) << "golden hashes are read from " << file;
}

TEST(Regime, AValueDependsOnItsOwnIndexOnly) {
  for (const Regime regime : all_regimes()) {
    for (const Role role : {Role::Data, Role::InputWeight, Role::State, Role::Peephole}) {
      const Tensor shorter = filled(ElementType::Float, {10}, regime, role);
      const Tensor longer = filled(ElementType::Float, {3, 7}, regime, role);
      for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(shorter.bits(i), longer.bits(i)) << name(regime);
    }
  }
}

TEST(Regime, SeedsAndNamesGiveOtherValues) {
  for (const Regime regime : all_regimes()) {
    if (regime == Regime::Zero) continue;
    const Tensor tensor = filled(ElementType::Float, {20}, regime, Role::Data, 5, 1, "X");
    EXPECT_NE(tensor, filled(ElementType::Float, {20}, regime, Role::Data, 5, 2, "X")) << name(regime);
    EXPECT_NE(tensor, filled(ElementType::Float, {20}, regime, Role::Data, 5, 1, "Y")) << name(regime);
  }
}

TEST(Normal, HasTheMomentsOfANormalDistribution) {
  const auto values = values_of(filled(ElementType::Double, {20000}, Regime::Normal, Role::Data));
  double mean = 0, fourth = 0;
  int beyond_two = 0;
  for (const double value : values) {
    mean += value / 20000;
    fourth += value * value * value * value / 20000;
    beyond_two += std::abs(value) > 2;
  }
  EXPECT_NEAR(mean, 0, 0.03);
  EXPECT_NEAR(mean_square(values), 1, 0.04);
  EXPECT_NEAR(fourth, 3 - 0.1, 0.2) << "twelve uniform numbers fall short of 3 by 0.1";
  EXPECT_NEAR(beyond_two / 20000.0, 0.0455, 0.006);
}

TEST(Normal, WeightsShrinkWithTheirFanInAndChaoticOnesAreSixTimesLarger) {
  const auto square = [](Regime regime, Role role, std::int64_t fan_in) {
    return mean_square(values_of(filled(ElementType::Float, {4000}, regime, role, fan_in)));
  };
  EXPECT_NEAR(square(Regime::Normal, Role::InputWeight, 25) * 25, 1, 0.1);
  EXPECT_NEAR(square(Regime::Chaotic, Role::InputWeight, 25) * 25, 1, 0.1);
  EXPECT_NEAR(square(Regime::Chaotic, Role::RecurrentWeight, 25) * 25, 36, 3.6);
}

TEST(Discriminating, NoTwoWeightsAreNearlyEqualEvenInBFloat16) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor tensor = filled(ElementType::BFloat16, {1, 20, 5}, Regime::Discriminating, Role::InputWeight, 5, seed);
    std::multiset<double> magnitudes;
    for (const double value : values_of(tensor)) {
      magnitudes.insert(std::abs(value));
      EXPECT_GT(std::abs(value), 0.24 / std::sqrt(5));
    }
    std::set<double> different(magnitudes.begin(), magnitudes.end());
    EXPECT_GT(different.size(), 60u) << "bfloat16 has 256 numbers in this range for 100 weights";
    const auto single =
        values_of(filled(ElementType::Float, {1, 20, 5}, Regime::Discriminating, Role::InputWeight, 5, seed));
    std::set<double> exact;
    for (const double value : single) exact.insert(std::abs(value));
    ASSERT_EQ(exact.size(), 100u);
    for (auto next = std::next(exact.begin()); next != exact.end(); ++next) {
      EXPECT_GT(*next - *std::prev(next), 0.75 / std::sqrt(5) * 0.38 / 100);
    }
  }
}

TEST(Discriminating, SignsAreMixed) {
  for (const char* tensor_name : {"X", "W", "R", "B", "initial_h", "P"}) {
    const auto values =
        values_of(filled(ElementType::Float, {100}, Regime::Discriminating, Role::InputWeight, 5, 0, tensor_name));
    const auto negative = std::count_if(values.begin(), values.end(), [](double value) { return value < 0; });
    EXPECT_GT(negative, 25) << tensor_name;
    EXPECT_LT(negative, 75) << tensor_name;
  }
}

TEST(Discriminating, BiasHalvesAreApartAndNeverCancel) {
  const auto values = values_of(filled(ElementType::Float, {2, 40}, Regime::Discriminating, Role::Bias));
  for (std::size_t direction = 0; direction < 2; ++direction) {
    for (std::size_t i = 0; i < 20; ++i) {
      const double w = values[direction * 40 + i], r = values[direction * 40 + 20 + i];
      EXPECT_LT(std::abs(w), 0.26);
      EXPECT_GT(std::abs(r), 0.37);
      EXPECT_GT(std::abs(w + r), 0.1);
    }
  }
}

TEST(Discriminating, StatesStayAwayFromZeroAndOne) {
  for (const double value : values_of(filled(ElementType::Float, {50}, Regime::Discriminating, Role::State))) {
    EXPECT_GE(std::abs(value), 0.29);
    EXPECT_LE(std::abs(value), 0.81);
  }
}

/// Pre-activations of one step with all parts: moderate in Discriminating, mostly saturated in Saturating.
std::vector<double> pre_activations(Regime regime) {
  constexpr std::size_t units = 40, inputs = 6;
  const auto x = values_of(filled(ElementType::Float, {inputs}, regime, Role::Data, inputs, 1, "X"));
  const auto w = values_of(filled(ElementType::Float, {units, inputs}, regime, Role::InputWeight, inputs, 1, "W"));
  const auto b = values_of(filled(ElementType::Float, {2 * units}, regime, Role::Bias, inputs, 1, "B"));
  std::vector<double> result(units);
  for (std::size_t j = 0; j < units; ++j) {
    result[j] = b[j] + b[units + j];
    for (std::size_t k = 0; k < inputs; ++k) result[j] += w[j * inputs + k] * x[k];
  }
  return result;
}

TEST(Discriminating, CellsDoNotSaturate) {
  for (const double value : pre_activations(Regime::Discriminating)) EXPECT_LT(std::abs(value), 4);
  EXPECT_GT(mean_square(pre_activations(Regime::Discriminating)), 0.25);
}

TEST(Saturating, CellsSaturateOnBothSides) {
  const auto values = pre_activations(Regime::Saturating);
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](double value) { return value > 9; }), 4);
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](double value) { return value < -9; }), 4);
}

/// RNN with Relu: every product and partial sum of two steps must be a number of the type itself.
TEST(ExactDyadic, APiecewiseLinearCellRoundsNothingInTwoSteps) {
  constexpr std::size_t units = 5, inputs = 4;
  for (const ElementType type :
       {ElementType::BFloat16, ElementType::Float16, ElementType::Float, ElementType::Double}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto values = [&](Shape shape, Role role, std::int64_t fan_in, const char* tensor_name) {
        return values_of(filled(type, std::move(shape), Regime::ExactDyadic, role, fan_in, seed, tensor_name));
      };
      const auto x = values({2, inputs}, Role::Data, 1, "X");
      const auto w = values({units, inputs}, Role::InputWeight, inputs, "W");
      const auto r = values({units, units}, Role::RecurrentWeight, units, "R");
      const auto b = values({2 * units}, Role::Bias, 1, "B");
      std::vector<double> h(units);
      for (std::size_t t = 0; t < 2; ++t) {
        std::vector<double> next(units);
        for (std::size_t j = 0; j < units; ++j) {
          double sum = 0;
          const auto add = [&](double term) {
            sum += term;
            ASSERT_EQ(round_to(type, term), term);
            ASSERT_EQ(round_to(type, sum), sum) << onnx_name(type) << " step " << t;
          };
          for (std::size_t k = 0; k < inputs; ++k) add(w[j * inputs + k] * x[t * inputs + k]);
          for (std::size_t k = 0; k < units; ++k) add(r[j * units + k] * h[k]);
          add(b[j]);
          add(b[units + j]);
          next[j] = std::max(sum, 0.0);
        }
        h = next;
      }
      EXPECT_GT(mean_square(h), 0);
    }
  }
}

TEST(Subnormal, ValuesLieBelowAndJustAboveTheSmallestNormalNumber) {
  for (const ElementType type :
       {ElementType::BFloat16, ElementType::Float16, ElementType::Float, ElementType::Double}) {
    const FloatFormat& format = float_format(type);
    int below = 0;
    const auto values = values_of(filled(type, {200}, Regime::Subnormal, Role::Data));
    for (const double value : values) {
      EXPECT_NE(value, 0);
      EXPECT_LE(std::abs(value), 4 * format.min_normal);
      below += std::abs(value) < format.min_normal;
    }
    EXPECT_GT(below, 100);
    EXPECT_LT(below, 200);
    for (const double weight : values_of(filled(type, {50}, Regime::Subnormal, Role::InputWeight))) {
      EXPECT_GT(std::abs(weight), 0.1);
    }
  }
}

TEST(Special, HasAFewOfEachKindAndFiniteWeights) {
  const auto data = values_of(filled(ElementType::Float, {1000}, Regime::Special, Role::Data));
  const auto count = [&data](auto predicate) { return std::count_if(data.begin(), data.end(), predicate); };
  EXPECT_GT(count([](double value) { return std::isnan(value); }), 5);
  EXPECT_GT(count([](double value) { return value == std::numeric_limits<double>::infinity(); }), 3);
  EXPECT_GT(count([](double value) { return value == -std::numeric_limits<double>::infinity(); }), 3);
  EXPECT_GT(count([](double value) { return value == 0 && std::signbit(value); }), 3);
  EXPECT_GT(count([](double value) { return std::abs(value) == std::numeric_limits<float>::max(); }), 5);
  EXPECT_GT(count([](double value) { return std::isfinite(value) && value != 0 && std::abs(value) < 5; }), 800);
  for (const double weight : values_of(filled(ElementType::Float16, {500}, Regime::Special, Role::RecurrentWeight))) {
    EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST(Zero, IsZeroButForScales) {
  for (const auto& [role, role_name] : roles) {
    for (const ElementType type : all_element_types()) {
      const bool scale = role == Role::Scale || role == Role::RecurrentScale;
      const auto values = values_of(filled(type, {20}, Regime::Zero, role));
      for (const double value : values) EXPECT_EQ(value == 0 && !std::signbit(value), !scale) << role_name;
    }
  }
}

TEST(Quantised, Int8WeightsCannotSaturateASumOfTwoProductsIn16Bits) {
  for (const Regime regime : all_regimes()) {
    if (regime == Regime::Saturating) continue;
    for (const double value : values_of(filled(ElementType::Int8, {500}, regime, Role::InputWeight))) {
      EXPECT_GE(value, -64);
      EXPECT_LE(value, 63);
    }
  }
  const auto discriminating = values_of(filled(ElementType::UInt8, {500}, Regime::Discriminating, Role::InputWeight));
  EXPECT_GT(std::set<double>(discriminating.begin(), discriminating.end()).size(), 90u);
}

TEST(Quantised, ZeroPointsAreWhatRuntimesTakeAndSpecialOnesDiffer) {
  const auto different = [](ElementType type, Regime regime) {
    const auto values = values_of(filled(type, {2, 20}, regime, Role::ZeroPoint));
    return std::set<double>(values.begin(), values.end());
  };
  for (const Regime regime : all_regimes()) {
    if (regime == Regime::Special) continue;
    EXPECT_THAT(different(ElementType::Int8, regime), testing::ElementsAre(0)) << name(regime);
    EXPECT_EQ(different(ElementType::UInt8, regime).size(), 1u) << name(regime);
  }
  EXPECT_GT(different(ElementType::Int8, Regime::Special).size(), 5u);
  EXPECT_NEAR(*different(ElementType::UInt8, Regime::Discriminating).begin(), 128, 10);
}

TEST(Quantised, ScalesMakeWeightsOfOrdinarySize) {
  for (const auto& [fan_in, tolerance] : {std::pair{1, 0.3}, {64, 0.04}}) {
    for (const double scale :
         values_of(filled(ElementType::Float, {40}, Regime::Discriminating, Role::Scale, fan_in))) {
      EXPECT_GT(scale, 0);
      EXPECT_NEAR(40 * scale, 0.47 / std::sqrt(fan_in), tolerance);
    }
  }
  const auto largest = [](Role role) {
    const auto values = values_of(filled(ElementType::Float, {40}, Regime::Chaotic, role));
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_GT(largest(Role::RecurrentScale), 4 * largest(Role::Scale));
}

}  // namespace
}  // namespace cellproof
