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

}  // namespace cellproof::lab::zoo
