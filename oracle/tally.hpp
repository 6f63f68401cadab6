#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/element_evaluation.hpp"
#include "oracle/place.hpp"
#include "oracle/structural_violation.hpp"
#include "spec/verdict.hpp"

namespace cellproof::oracle {

/// All elements of a case, counted.
struct Tally {
  std::array<std::int64_t, element_class_count> elements{};
  std::optional<double> worst_ratio, max_ulp;
  std::optional<Place> first_divergent, first_suspect;
  bool infinite_ratio = false;

  std::int64_t count(ElementClass c) const { return elements[static_cast<std::size_t>(c)]; }
  std::int64_t total() const;
  /// Share of value elements that are EXACT or ROUNDING; 1 where there are none.
  double verified() const;
};

/// Elements within a bound that says too little (more than 5 % of the output's scale, 25 % in 16 bit) become
/// UNRESOLVED.
void mark_unresolved(const Task& task, ElementEvaluation& evaluation);

/// Elements beyond the running bound that the certified one admits become SUSPECT. They are open where that is a close
/// call.
void mark_suspect(ElementEvaluation& running, const ElementEvaluation& certified);

/// Counts Y's valid elements, Y_h and Y_c. Y_h elements that repeat an element of Y have its class.
Tally tally_of(const Task& task, const ElementEvaluation& evaluation, const std::vector<StructuralViolation>& broken);

/// The element at a place: of Y, of Y_c, or of Y_h where Y is missing.
const Element& element_at(const Task& task, const ElementEvaluation& evaluation, const Place& place);
Element& element_at(const Task& task, ElementEvaluation& evaluation, const Place& place);

}  // namespace cellproof::oracle
