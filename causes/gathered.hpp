#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::causes {

/// A cause while its cases are gathered.
struct Gathered {
  Cause cause;
  std::set<std::string> operators;
  std::size_t least = std::numeric_limits<std::size_t>::max();  ///< numbers in the case that stands for it
  bool has_case_alone = false;

  /// `size`: numbers in the inputs of the case.
  void add(const Finding& finding, std::size_t size, bool alone) {
    ++cause.cases;
    cause.alone += alone;
    cause.where[finding.suite].push_back(finding.number);
    operators.emplace(name(finding.version.op));
    const bool is_reduced = finding.reduction.has_value();
    const bool is_reduced_fully = is_reduced && finding.reduction->complete;
    if (is_reduced_fully && alone && cause.status == CauseStatus::Likely) cause.status = CauseStatus::Proved;
    // A reduced case is smaller than any of a suite, but one that was cut short may be large.
    const std::size_t weight = is_reduced_fully ? 0 : is_reduced ? 1 : std::max(size, std::size_t{2});
    if ((alone && !has_case_alone) || (alone == has_case_alone && weight < least)) {
      least = weight;
      has_case_alone = alone;
      cause.case_line = is_reduced ? finding.reduction->case_line : finding.case_line;
    }
  }
};

/// The causes, by number of cases.
inline std::vector<Cause> sorted(std::map<std::string, Gathered>&& gathered) {
  std::vector<Cause> causes;
  for (auto& [id, each] : gathered) {
    each.cause.id = id;
    for (auto& [suite, numbers] : each.cause.where) std::ranges::sort(numbers);
    each.cause.operators.assign(each.operators.begin(), each.operators.end());
    causes.push_back(std::move(each.cause));
  }
  std::ranges::stable_sort(causes, std::ranges::greater{}, &Cause::cases);
  return causes;
}

}  // namespace cellproof::causes
