#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cellproof::lab {

/// The bounds on the error that one step introduces.
enum class StepBound : std::uint8_t {
  Page,       ///< the formula of docs/accuracy/
  Certified,  ///< the judge's, beyond which it says DIVERGES
  Running,    ///< the judge's, beyond which it says SUSPECT
};
inline constexpr std::size_t step_bound_count = 3;

/// The use of a bound: error over bound, of many elements.
class BoundUse {
 public:
  void add(double error, double bound);
  void add(const BoundUse& other);

  std::int64_t elements() const { return elements_; }
  std::int64_t exceeded() const { return exceeded_; }
  double worst() const { return worst_; }
  /// Returns the upper end of the bin in which the middle element lies; bins are 1/2000 wide.
  double median() const;

 private:
  std::int64_t elements_ = 0, exceeded_ = 0;
  double worst_ = 0;
  std::array<std::int64_t, 2001> bins_{};  ///< the last one: exactly 1 and above
};

/// Honest steps of one output of one kind of cell, by size.
struct StepRow {
  std::string output;
  int most_terms = 0;
  std::int64_t steps = 0;
  std::array<BoundUse, step_bound_count> use;
  double widest_certified = 0;  ///< the certified bound over the page's, at most
};

/// Takes so many honest steps: rows of cells of float with default functions, of many sizes, with and without biases
/// and peepholes, from states that are known exactly, in all styles of the zoo by turns. Compares each element with the
/// exact step. Deterministic in (steps, seed).
std::vector<StepRow> measure_steps(std::int64_t steps, int jobs, std::uint64_t seed);

}  // namespace cellproof::lab
