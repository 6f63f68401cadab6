#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/fault_hooks.hpp"
#include "oracle/faults/catalogue.hpp"
#include "oracle/observed.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// A question to the judge as faults present it: what a faulty engine has made of the problem, what its outputs would
/// have been without the faults' last parts, and how its steps depart. Faults are put on one after the other.
class View {
 public:
  /// `seen` must outlive the view.
  explicit View(const Observed& seen) : seen_(seen) {}

  const Problem& problem() const { return problem_ ? *problem_ : seen_.problem; }
  const Outputs& outputs() const { return outputs_ ? *outputs_ : seen_.outputs; }
  /// The same, to be changed.
  Problem& own_problem();
  Outputs& own_outputs();
  FaultHooks fault_hooks;

  /// Returns what is to be judged: what was seen, as long as nothing of it was changed. Stands until the next change.
  const Observed& observed();

 private:
  const Observed& seen_;
  std::optional<Problem> problem_;
  std::optional<Outputs> outputs_;
  std::optional<Observed> changed_;
};

/// A fault of the catalogue as data: outputs of an implementation with this fault and no other conform when they are
/// judged through it.
struct Fault : FaultInfo {
  std::function<bool(const Problem&)> needs;  ///< can it act on this problem at all?
  /// Changes the view. False where the outputs show that this fault is not there.
  std::function<bool(View&)> put_on;
  std::string base = "";  ///< the fault that this one is where it acts at all; "" where there is no such fault

  /// Can it occur there and act?
  bool applies(const Problem& problem) const;
};

using FaultList = std::span<const Fault* const>;

}  // namespace cellproof::oracle
