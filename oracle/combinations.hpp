#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "oracle/evaluate.hpp"

namespace cellproof::oracle {

/// Goes through the combinations of all readings that a problem leaves open, fewest differences first, and keeps those
/// that its outputs do not exclude. What excludes one combination excludes all that read alike whatever bears on the
/// excluding elements: padding says nothing of gates, nor one direction of the other. So most are never looked at.
class Combinations {
 public:
  /// Returns the contract and arithmetic to exclude readings by.
  using Limits = std::function<Hypothesis(const Readings&)>;

  /// `seen` and `evaluator` must outlive it. `depth`: Excluded or SurelyExcluded.
  Combinations(const Observed& seen, Evaluator& evaluator, Limits limits, Depth depth);

  /// Looks at one combination. False when none is left to look at, or when they are too many.
  bool advance();
  const std::vector<Readings>& left() const { return left_; }
  /// The number of combinations that were neither excluded nor looked at, for there were too many.
  std::size_t count_open() const;

 private:
  struct Open {
    Clause clause;
    std::vector<std::string_view> values;  ///< the default first
    std::uint64_t weight;                  ///< of the value's number in a combination's
  };
  using Combination = std::uint64_t;  ///< a digit for each open clause: which of its values
  using Mask = std::uint64_t;         ///< a bit for each open clause

  static std::size_t digit(const Open& open, Combination combination);
  Readings readings_of(Combination combination) const;
  Combination masked(Combination combination, Mask mask) const;
  bool is_excluded(Combination combination) const;
  Mask bearing_on(const ExcludedBy& by, const Readings& readings) const;

  const Observed& seen_;
  Evaluator& evaluator_;
  Limits limits_;
  Depth depth_;
  std::vector<Open> open_;
  std::uint64_t total_ = 1;
  std::vector<Combination> all_;
  std::size_t most_looks_, next_ = 0, looked_at_ = 0;
  std::map<Mask, std::set<Combination>> excluded_;  ///< by what bears on them
  std::vector<Readings> left_;
};

}  // namespace cellproof::oracle
