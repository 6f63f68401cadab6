#include "spec/values/regime.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "spec/name_table.hpp"
#include "spec/values/counter.hpp"

namespace cellproof {
namespace {

constexpr std::array all = {Regime::Normal,  Regime::Discriminating, Regime::ExactDyadic, Regime::Saturating,
                            Regime::Chaotic, Regime::Subnormal,      Regime::Special,     Regime::Zero};
constexpr NameTable<all.size()> regime_names = {"normal",  "discriminating", "exact",   "saturating",
                                                "chaotic", "subnormal",      "special", "zero"};

/// The draws of one element; each has its own word.
enum Draw : unsigned { SumOfUniforms = 0, Sign = 6, Kind = 7, Which = 8, Level = 9 };

/// Ways to draw the floating-point elements of one role. Spread, Halves: magnitude in [low, high), sign by chance.
enum class Way { Zero, Normal, Spread, Halves, Dyadic, DyadicHalves, Tiny, SprinkledFinite, Sprinkled };
struct Recipe {
  Way way = Way::Zero;
  double low = 0;   ///< smallest magnitude
  double high = 0;  ///< largest magnitude; the standard deviation where the values are normal
};

/// Data, InputWeight, RecurrentWeight, Bias, Peephole, State. Weights are divided by the square root of their fan-in.
///
/// Discriminating keeps pre-activations at about +-1: below saturation, on both sides of a clip of 0.5 and of
/// ThresholdedRelu's default alpha of 1. No magnitude is near zero, so each element has an effect; the recurrent gain
/// is below 1, so that cells without an upper bound do not run away. Subnormal has ordinary weights, because a product
/// of two tiny numbers is only zero.
using Row = std::array<Recipe, 6>;
constexpr Row normal = {{{Way::Normal, 0, 1},
                         {Way::Normal, 0, 1},
                         {Way::Normal, 0, 1},
                         {Way::Normal, 0, 0.5},
                         {Way::Normal, 0, 0.5},
                         {Way::Normal, 0, 0.5}}};
constexpr Row discriminating = {{{Way::Spread, 0.5, 2},
                                 {Way::Spread, 0.25, 1},
                                 {Way::Spread, 0.25, 1},
                                 {Way::Halves, 0.125, 0.25},
                                 {Way::Spread, 0.25, 0.75},
                                 {Way::Spread, 0.3, 0.8}}};
constexpr Row exact = {
    {{Way::Dyadic}, {Way::Dyadic}, {Way::Dyadic}, {Way::DyadicHalves}, {Way::Dyadic}, {Way::Dyadic}}};
constexpr Row saturating = {{{Way::Spread, 1, 4},
                             {Way::Spread, 2, 8},
                             {Way::Spread, 2, 8},
                             {Way::Spread, 1, 8},
                             {Way::Spread, 1, 4},
                             {Way::Spread, 0.5, 1}}};
constexpr Row chaotic = {{normal[0], normal[1], {Way::Normal, 0, 6}, normal[3], normal[4], normal[5]}};
constexpr Row subnormal = {
    {{Way::Tiny}, discriminating[1], discriminating[2], {Way::Tiny}, discriminating[4], {Way::Tiny}}};
constexpr Row special = {{{Way::Sprinkled, 0, 1},
                          {Way::SprinkledFinite, 0, 1},
                          {Way::SprinkledFinite, 0, 1},
                          {Way::SprinkledFinite, 0, 0.5},
                          {Way::SprinkledFinite, 0, 0.5},
                          {Way::Sprinkled, 0, 0.5}}};
constexpr std::array<Row, all.size()> recipes = {normal,  discriminating, exact,   saturating,
                                                 chaotic, subnormal,      special, Row{}};

/// 1 / sqrt(n), by Newton's iteration: the four operations give the same bits everywhere.
double inverse_root(std::int64_t n) {
  const double square = static_cast<double>(n);
  double root = static_cast<double>(std::int64_t{1} << (std::bit_width(static_cast<std::uint64_t>(n)) / 2));
  for (int i = 0; i < 6; ++i) root = 0.5 * (root + square / root);
  return 1 / root;
}

/// The power of two next to 1 / sqrt(n), not above it.
double dyadic_inverse_root(std::int64_t n) {
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
  return 1.0 / static_cast<double>(std::int64_t{1} << ((bits + 1) / 2));
}

double power_of_two(int exponent) {
  if (exponent < -1022) return std::bit_cast<double>(std::uint64_t{1} << (exponent + 1074));
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

bool is_weight(Role role) {
  return role == Role::InputWeight || role == Role::RecurrentWeight;
}

/// Everything that an element's value follows from.
struct Filler {
  const Tensor& tensor;
  Regime regime;
  Role role;
  std::int64_t fan_in;
  Counter counter;

  double sign(std::uint64_t i) const { return counter.word(i, Sign) >> 63 ? -1.0 : 1.0; }

  double spread(std::uint64_t i, double low, double high) const { return low + (high - low) * counter.spread(i); }

  /// Twelve uniform numbers have variance 1 together: mean 0, within +-6, near enough to the bell.
  double normal_value(std::uint64_t i) const {
    std::int64_t sum = 0;
    for (unsigned draw = 0; draw < 6; ++draw) {
      const std::uint64_t word = counter.word(i, SumOfUniforms + draw);
      sum += static_cast<std::int64_t>(word >> 32) + static_cast<std::int64_t>(word & 0xffffffff);
    }
    return static_cast<double>(sum - 6 * std::int64_t{0xffffffff}) * 0x1p-32;
  }

  /// +-k/m for k in 1..m: the fewer bits a type has, the fewer are spent on one factor.
  double dyadic(std::uint64_t i) const {
    const int precision = float_format(tensor.type()).precision;
    const std::uint64_t levels = precision <= 11 ? 2 : precision <= 24 ? 8 : 16;
    return sign(i) * static_cast<double>(1 + counter.word(i, Level) % levels) / static_cast<double>(levels);
  }

  /// Any exponent from the smallest subnormal number to twice the smallest normal one.
  double tiny(std::uint64_t i) const {
    const FloatFormat& format = float_format(tensor.type());
    const std::uint64_t exponents = static_cast<std::uint64_t>(format.precision) + 1;
    const int exponent =
        format.min_exponent - format.precision + 1 + static_cast<int>(counter.word(i, Level) % exponents);
    return sign(i) * (1 + Counter::fraction(counter.word(i, Which))) * power_of_two(exponent);
  }

  /// One element in eight is special. A weight that is not finite would only drown everything else.
  double sprinkled(std::uint64_t i, double otherwise, bool finite) const {
    if (counter.word(i, Kind) % 8 != 0) return otherwise;
    const FloatFormat& format = float_format(tensor.type());
    const std::array<double, 6> values = {0.0,
                                          format.min_subnormal,
                                          format.min_normal,
                                          format.max_finite,
                                          std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN()};
    const double value = values[counter.word(i, Which) % (finite ? 3 : values.size())];
    return value != value ? value : sign(i) * value;
  }

  /// Is the element in the second half of the last dimension?
  bool in_second_half(std::uint64_t i) const {
    const auto length = static_cast<std::uint64_t>(tensor.rank() ? tensor.shape().back() : 1);
    return i % length >= length / 2;
  }

  double floating(std::uint64_t i, double divisor) const {
    const Recipe& recipe = recipes[static_cast<std::size_t>(regime)][static_cast<std::size_t>(role)];
    switch (recipe.way) {
      case Way::Zero:
        return 0;
      case Way::Normal:
        return normal_value(i) * recipe.high * divisor;
      case Way::Spread:
        return sign(i) * spread(i, recipe.low, recipe.high) * divisor;
      case Way::Halves:  // the R half is three times as large: a lost, doubled or exchanged half shows, and none
                         // cancels
        return sign(i) * spread(i, recipe.low, recipe.high) * (in_second_half(i) ? 3 : 1);
      case Way::DyadicHalves:  // the R half is positive: a layer of Relu cells that are all dead would show nothing
        return in_second_half(i) ? std::abs(dyadic(i)) : dyadic(i);
      case Way::Dyadic:
        return dyadic(i) * divisor;
      case Way::Tiny:
        return tiny(i);
      case Way::SprinkledFinite:
        return sprinkled(i, normal_value(i) * recipe.high * divisor, true);
      case Way::Sprinkled:
        return sprinkled(i, normal_value(i) * recipe.high * divisor, false);
    }
    return 0;
  }

  double integer_centre() const { return tensor.type() == ElementType::UInt8 && regime != Regime::Zero ? 128 : 0; }

  double quantised(std::uint64_t i) const {
    switch (regime) {
      case Regime::Zero:
        return 0;
      case Regime::ExactDyadic:
        return integer_centre() + sign(i) * static_cast<double>(8 * (1 + counter.word(i, Level) % 4));
      case Regime::Saturating:
        return integer_centre() + sign(i) * static_cast<double>(static_cast<int>(spread(i, 64, 128)));
      default:
        return integer_centre() + sign(i) * static_cast<double>(static_cast<int>(spread(i, 8, 64)));
    }
  }

  double zero_point(std::uint64_t i) const {
    const bool is_unsigned = tensor.type() == ElementType::UInt8;
    const std::uint64_t offset = counter.word(regime == Regime::Special ? i : 0, Level) % 21;
    const bool shifted =
        regime == Regime::Special || (is_unsigned && regime != Regime::Zero && regime != Regime::ExactDyadic);
    return integer_centre() + (shifted ? static_cast<double>(offset) - 10 : 0);
  }

  /// A weight of about 40 steps times its scale is to be what the floating-point regimes make a weight.
  double scale(std::uint64_t i) const {
    if (!is_floating_point(tensor.type())) return 1;
    if (regime == Regime::ExactDyadic) return 0x1p-6 * dyadic_inverse_root(fan_in);
    const bool wild = regime == Regime::Chaotic && role == Role::RecurrentScale;
    const double gain = wild ? 10 : regime == Regime::Saturating ? 4 : 1;
    return gain * spread(i, 1.0 / 128, 1.0 / 64) * inverse_root(fan_in);
  }

  double operator()(std::uint64_t i, double divisor) const {
    if (role == Role::Scale || role == Role::RecurrentScale) return scale(i);
    if (role == Role::ZeroPoint) return zero_point(i);
    return is_floating_point(tensor.type()) ? floating(i, divisor) : quantised(i);
  }
};

}  // namespace

std::string_view name(Regime regime) {
  return regime_names.at(static_cast<std::size_t>(regime));
}

std::optional<Regime> regime_named(std::string_view text) {
  return find_name<Regime>(regime_names, text);
}

std::span<const Regime> all_regimes() {
  return all;
}

void fill(Tensor& tensor, Regime regime, Role role, std::uint64_t seed, std::string_view tensor_name,
          std::int64_t fan_in) {
  const Filler filler{tensor, regime, role, std::max<std::int64_t>(fan_in, 1), Counter(seed, tensor_name)};
  const double divisor = !is_weight(role)                ? 1
                         : regime == Regime::ExactDyadic ? dyadic_inverse_root(filler.fan_in)
                                                         : inverse_root(filler.fan_in);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set_value(i, filler(i, divisor));
}

}  // namespace cellproof
