#include <array>

#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::zoo {

std::span<const Style> styles() {
  using S = Summation;
  using B = BiasPlace;
  using E = Evaluation;
  using F = Feedback;
  static constexpr std::array table = std::to_array<Style>({
      {"sequential", S::Sequential, B::Last, E::Libm, F::Rounded},
      {"sequential-unrounded-state", S::Sequential, B::Sum, E::Libm, F::Unrounded},
      {"sequential-fma", S::SequentialFma, B::Last, E::Libm, F::Rounded, true},
      {"reversed", S::Reversed, B::Sum, E::Libm, F::Rounded},
      {"pairwise", S::Pairwise, B::Last, E::Libm, F::Unrounded},
      {"8-lanes", S::Lanes8, B::Sum, E::Libm, F::Rounded, true},
      {"16-lanes", S::Lanes16, B::Split, E::Libm, F::Unrounded, true},
      {"permuted", S::Permuted, B::Last, E::Libm, F::Rounded},
      {"blocked", S::Blocked, B::Sum, E::Libm, F::Unrounded},
      {"wide-accumulator", S::Wide, B::Last, E::Libm, F::Rounded},
      {"bias-first", S::Sequential, B::First, E::Libm, F::Rounded},
      {"bias-first-fma", S::SequentialFma, B::First, E::Libm, F::Unrounded, true},
      {"bias-split", S::Sequential, B::Split, E::Libm, F::Rounded},
      {"literal-formulas", S::Sequential, B::Sum, E::Literal, F::Unrounded},
      {"rational-functions", S::Lanes8, B::Sum, E::Rational, F::Rounded, true},
      {"noisy-functions", S::Permuted, B::Split, E::Noisy, F::Rounded},
  });
  return table;
}

namespace {

using S = Summation;
using B = BiasPlace;
using E = Evaluation;
using F = Feedback;

constexpr auto brain = ElementType::BFloat16, half = ElementType::Float16, single = ElementType::Float,
               wide = ElementType::Double;

/// One that flushes subnormals.
constexpr Style flushing(std::string_view name, S summation, B bias, E evaluation, F feedback, bool fused) {
  return {name, summation, bias, evaluation, feedback, fused, true};
}

/// One whose factors, or whose inputs, states and gates, too, are of 16 bits.
constexpr Style narrow(std::string_view name, S summation, ElementType type, bool states, bool flushed = false) {
  Style style{name, summation, B::Sum, E::Libm, F::Rounded, summation == S::Lanes16, flushed};
  style.factors = type;
  if (states) style.states = type;
  return style;
}

/// One that keeps factors and products in tensors of 16 bits, and all else in float.
constexpr Style of_narrow_products(std::string_view name, B bias, ElementType type) {
  Style style{name, S::Sequential, bias, E::Libm, F::Rounded};
  style.factors = style.products = type;
  return style;
}

/// One whose factors are of 11 bits, as tensor cores take them.
constexpr Style of_tensor_cores(std::string_view name, S summation) {
  Style style{name, summation, B::Sum, E::Libm, F::Rounded};
  style.factors_of_tf32 = true;
  return style;
}

}  // namespace

std::span<const DeclaredStyle> declared_styles() {
  using enum ContractId;
  static constexpr std::array table = std::to_array<DeclaredStyle>({
      {{"clamped-functions", S::Lanes16, B::Sum, E::Clamped, F::Rounded, true}, single, F32},
      {flushing("flushing-clamped-functions", S::Lanes8, B::Split, E::Clamped, F::Rounded, true), single, F32Ftz},
      {flushing("flushing", S::Sequential, B::Last, E::Libm, F::Rounded, false), single, F32Ftz},
      {flushing("flushing-lanes", S::Lanes16, B::Split, E::Rational, F::Rounded, true), single, F32Ftz},
      {flushing("flushing-pairwise", S::Pairwise, B::First, E::Literal, F::Rounded, false), single, F32Ftz},
      {flushing("flushing-double", S::Sequential, B::Last, E::Libm, F::Rounded, false), wide, F64Ftz},
      {flushing("flushing-double-lanes", S::Lanes8, B::Split, E::Rational, F::Rounded, true), wide, F64Ftz},
      {flushing("flushing-bfloat16", S::Sequential, B::Sum, E::Libm, F::Rounded, false), brain, F32InsideFtz},
      {flushing("flushing-bfloat16-unrounded", S::Lanes16, B::Split, E::Literal, F::Unrounded, true), brain,
       F32InsideFtz},
      {flushing("flushing-float16", S::Pairwise, B::Last, E::Libm, F::Rounded, false), half, F32InsideFtz},
      {narrow("bfloat16-factors", S::Lanes16, brain, false), single, F32ByBf16},
      {narrow("bfloat16-factors-flushing", S::Lanes16, brain, false, true), single, F32ByBf16Ftz},
      {narrow("float16-factors", S::Sequential, half, false), single, F32ByF16},
      {of_tensor_cores("tf32-factors", S::Lanes8), single, Tf32},
      {narrow("bfloat16-inside", S::Lanes16, brain, true), single, F32InBf16},
      {narrow("bfloat16-inside-sequential", S::Sequential, brain, true, true), single, F32InBf16Ftz},
      {narrow("float16-inside", S::Pairwise, half, true), single, F32InF16},
      {narrow("bfloat16-inside-double", S::Lanes16, brain, true), wide, F64InBf16},
      {narrow("float16-inside-double", S::Sequential, half, true), wide, F64InF16},
      {of_narrow_products("bfloat16-products", B::Sum, brain), single, F32InBf16},
      {of_narrow_products("bfloat16-products-with-bias", B::First, brain), single, F32InBf16},
      {of_narrow_products("float16-products", B::Sum, half), single, F32InF16},
  });
  return table;
}

}  // namespace cellproof::lab::zoo
