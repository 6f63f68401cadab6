#pragma once

#include <optional>
#include <vector>

#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// All that honest arithmetic may put into one element of an output: numbers of the tensor's type.
struct HonestElement {
  double value = 0;       ///< the exact result, rounded once; of DynamicQuantizeLSTM that of a perfect engine
  double lo = 0, hi = 0;  ///< every number of the type from lo to hi may come out; none where lo > hi
  bool may_be_nan = false;

  bool admits(double observed) const;
  friend bool operator==(const HonestElement&, const HonestElement&);
};

/// A tensor of such elements.
struct HonestOutput {
  Shape shape;
  std::vector<HonestElement> elements;
  friend bool operator==(const HonestOutput&, const HonestOutput&) = default;
};

/// By position; nullopt for an output that the problem does not ask for.
using HonestOutputs = std::vector<std::optional<HonestOutput>>;

/// Returns what honest outputs may be under the readings and the type's default contract, from the initial state on:
/// errors of a step go on into the next ones. In balls alone, so that no number depends on a processor. More than one
/// where the readings leave several ways open that cannot be mixed (dq-granularity=block-chunked). None where the
/// readings make the problem invalid.
std::vector<HonestOutputs> honest_outputs(const Problem& problem, const Readings& readings);

/// Are these outputs, of the right shapes, made of admitted elements only?
bool admits(const HonestOutputs& honest, const Outputs& outputs);

}  // namespace cellproof::oracle
