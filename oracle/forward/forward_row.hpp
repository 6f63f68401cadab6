#pragma once

#include <functional>
#include <memory>

#include "oracle/forward/forward_step.hpp"
#include "oracle/task.hpp"

namespace cellproof::oracle {

/// Follows rows of one direction from the initial state on with the bound that follows the Jacobians.
template <class Real>
class ForwardRow {
 public:
  using Set = Enclosure<Real>;

  ForwardRow(const Task& task, std::int64_t direction, Tier tier);

  /// Takes a row through its steps; `after_step`, if any, is told the rank of each that was taken, maybe twice. False
  /// where the bound says nothing: not of infinities and NaN, of overflows, nor of steps that a fault changes in other
  /// ways than by other numbers.
  bool run(std::int64_t row, std::int64_t steps, const std::function<void(std::int64_t)>& after_step = {});

  /// The same with these numbers of old symbols.
  bool run(std::int64_t row, std::int64_t steps, KeptSymbols kept,
           const std::function<void(std::int64_t)>& after_step = {});

  const std::vector<Set>& H() const { return step_->H; }
  const std::vector<Set>& C() const { return step_->C; }

 private:
  bool suits() const;
  bool begin(std::int64_t row, ForwardState<Real>& state) const;
  /// Takes a row through its steps with so many old symbols; false, too, where it shall be followed closely and the
  /// bound runs away.
  bool follow(std::int64_t row, std::int64_t steps, int symbols, bool closely,
              const std::function<void(std::int64_t)>& after_step);

  const Task& task_;
  std::int64_t d_;
  FaultyCell cell_, early_cell_;
  std::unique_ptr<ForwardStep<Real>> late_step_, early_step_;
  ForwardStep<Real>* step_ = nullptr;
};

extern template class ForwardRow<double>;
extern template class ForwardRow<Ball>;

}  // namespace cellproof::oracle
