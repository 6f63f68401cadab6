#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "oracle/minimise_numbers.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::causes {

/// A cause while its cases are gathered.
struct Gathered {
  Cause cause;
  std::set<std::string> operators;
  /// Is it shown by a law, whose runs are not the case alone, or with other causes? Is it reduced to the end, in part
  /// or not at all; and its numbers.
  using Weight = std::tuple<bool, bool, int, std::int64_t>;
  Weight least{true, true, std::numeric_limits<int>::max(), 0};  ///< of the case that stands for it

  /// `size`: numbers in the inputs of the case; `may_prove`: can a reduction of it be what the cause says?
  void add(const Finding& finding, std::size_t size, bool alone, bool may_prove = true) {
    count(finding, alone);
    show(finding, size, alone);
    const bool proves = is_reduced_fully(finding) && alone && may_prove && finding.law.empty();
    if (proves && cause.status == CauseStatus::Likely) cause.status = CauseStatus::Proved;
  }

  void count(const Finding& finding, bool alone) {
    ++cause.cases;
    cause.alone += alone;
    cause.where[finding.suite].push_back(finding.number);
    operators.emplace(name(finding.version.op));
  }

  /// Lets the case stand for the cause if it shows it better than the one before.
  void show(const Finding& finding, std::size_t size, bool alone) {
    const auto numbers = finding.reduction ? oracle::numbers_in_smallest(finding) : static_cast<std::int64_t>(size);
    const int reduced = is_reduced_fully(finding) ? 0 : finding.reduction ? 1 : 2;
    const Weight weight{!finding.law.empty(), !alone, reduced, numbers};
    if (weight < least) {
      least = weight;
      cause.case_line = smallest_line(finding);
    }
  }

 private:
  static bool is_reduced_fully(const Finding& finding) { return finding.reduction && finding.reduction->complete; }
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
