#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/faults/catalogue.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::mutants {

struct Sowing;
struct Facts;

/// An implementation of the operators that is wrong in one way: what the oracle and the suites have to find. The
/// oracle's fault of this id explains it.
struct Mutant : oracle::FaultInfo {
  std::function<bool(const Facts&)> needs;  ///< see applies()
  std::function<void(Sowing&)> sow;         ///< plants the fault
  /// When an engine with the fault shows it: in every call, in all but the first, or with more than one thread. run()
  /// and effect() are of a call in which it shows.
  enum class Shows { Always, AfterACall, WithThreads } shows = Shows::Always;
};

/// A mutant as an engine that is called again and again.
class Session {
 public:
  explicit Session(const Mutant& mutant) : mutant_(mutant) {}
  /// Makes the next call. A fault that shows after a call has what it keeps from the last one.
  Outputs run(const Problem& problem, int threads = 1);

 private:
  const Mutant& mutant_;
  std::optional<Problem> before_;
};

/// All of them, by kind of fault.
std::span<const Mutant> mutants();
/// nullptr for an unknown id.
const Mutant* mutant_named(std::string_view id);

/// Can the fault act on this problem at all? Where not, the mutant computes what is right. (Where it can, its effect
/// may still be small or none, as when no value reaches the clip.)
bool applies(const Problem& problem, const Mutant& mutant);

/// The outputs that the problem asks for, by position, computed wrongly but otherwise plainly: sums in natural order,
/// in the tensor's arithmetic. Throws std::invalid_argument for activations that cannot be resolved.
Outputs run(const Problem& problem, const Mutant& mutant);

/// Faults of one implementation, all at once. The first wraps an engine that has those behind it: what it makes of the
/// inputs comes first, what it does to the outputs last, as in oracle::Hypothesis.
using Composite = std::vector<const Mutant*>;
Outputs run(const Problem& problem, const Composite& faults);

/// Can it be one of several? Faults that show in later calls only cannot, nor those of precision, which put the whole
/// cell to sleep for some steps.
bool can_be_composed(const Mutant& mutant);

/// The same implementation without any fault.
Outputs run_without_fault(const Problem& problem);

/// Distance of outputs with a fault from those without it. Both are infinite where a shape differs, or one number is
/// NaN or infinite and the other is not.
struct Effect {
  double roundoffs = 0;  ///< largest difference in unit roundoffs of the type, relative to its output's largest number
  double absolute = 0;   ///< largest difference
};
Effect effect(const Problem& problem, const Mutant& mutant);
/// The same where the outputs without the fault are known.
Effect effect(const Problem& problem, const Mutant& mutant, const Outputs& right);

}  // namespace cellproof::lab::mutants
