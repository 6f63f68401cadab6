#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "spec/axis_value.hpp"
#include "spec/contract.hpp"
#include "spec/element_type.hpp"
#include "spec/evidence.hpp"
#include "spec/expectation.hpp"
#include "spec/gate_value.hpp"
#include "spec/outcome.hpp"
#include "spec/passing_case.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"
#include "spec/reason.hpp"
#include "spec/verdict.hpp"
#include "spec/violation_kind.hpp"

namespace cellproof {

/// The first violating element: per direction the first processed step, then batch, then unit; across directions the
/// smallest rank, forward first.
struct FirstViolation {
  std::optional<std::size_t> output;  ///< position among the operator's outputs
  std::vector<std::int64_t>
      index;  ///< coordinates in that tensor as the engine returned it; empty for a structural violation of the whole
  std::optional<std::int64_t> step;       ///< input time index
  std::optional<Direction> direction;     ///< Forward or Reverse
  ElementType type = ElementType::Float;  ///< of the two values
  std::optional<double> expected;         ///< one-step value rounded to the type
  std::optional<double> actual;
  /// Instead of values: what is wrong with the output as a whole.
  std::variant<Words, BrokenOutput> structure;
  std::optional<double> error;   ///< |actual - centre|
  std::optional<double> bound;   ///< running bound
  std::vector<GateValue> gates;  ///< at that element, in evaluation order
};

/// One point of the plot of error against bound: the worst element of a processed step.
struct StepPoint {
  std::int64_t step = 0;                     ///< input time index
  Direction direction = Direction::Forward;  ///< or Reverse
  double error = 0;                          ///< |actual - centre| of the worst element
  double bound = 0;                          ///< its running bound
  double ratio = 0;                          ///< error / bound
};

/// The oracle's judgement of one outcome, engine and case left out: judging returns it, a Finding holds it.
struct Judgement {
  std::optional<Verdict> verdict;         ///< nullopt where the engine did not run a case that it should have run
  Readings readings;                      ///< under which it conforms
  ContractId contract = ContractId::F32;  ///< under which it was judged, or the wider one that explains it
  int bits = 0;  ///< of the arithmetic that decided it: 53 for double, 128 and more for Arb's balls; 0 where nothing
                 ///< was computed
  std::vector<std::string> faults;    ///< ids of faults that explain every element, the likeliest first
  std::optional<ViolationKind> kind;  ///< of the first violation
  std::optional<FirstViolation> first;
  std::array<std::int64_t, element_class_count> elements{};  ///< by ElementClass
  std::optional<double> worst_ratio;                         ///< of error to running bound, over all elements
  std::optional<double> max_ulp;                             ///< distance to the rounded one-step value
  std::vector<StepPoint> series;                             ///< for every non-pass
  Reason reason;                                             ///< a sentence for people in parts (reason_words.hpp)
};

/// A case made as simple and as small as it still fails in the same way.
struct Reduction {
  std::string case_line;
  /// Needs of the failure: the axis values that could not be brought back to their defaults, each by itself.
  AxisValues guilty;
  std::string message;                  ///< what the oracle says of it
  std::optional<FirstViolation> first;  ///< its first violating element, where there is one
  std::string folder;     ///< the same as a backend-test directory, relative to the report; "" where none was written
  std::int64_t runs = 0;  ///< how often the engine was asked
  bool complete = false;  ///< false: stopped before it was known that nothing simpler fails
  /// The same case but for one of the axis values that it needs, where that was seen to pass.
  std::optional<PassingCase> passing = {};
};

/// Outcome of an identical call, where that is not what the finding's outcome says.
struct OtherOutcome {
  OutcomeKind outcome = OutcomeKind::Ran;
  std::string message;
  int signal = 0;
};

/// One case on one engine: the record that stores keep and renderers show. Nothing in it is computed by a renderer.
struct Finding {
  std::string engine;
  std::string engine_version;
  std::string suite;
  std::int64_t number = 0;  ///< position in the suite, from 0
  std::string case_name;    ///< suites and directories may name a case ("test_lstm_reverse"); else ""
  std::string case_line;    ///< canonical text, or "dir:PATH" for a foreign directory
  std::string case_hash;
  /// The law (`cellproof list laws`) that was tried on the case; "" where the oracle judged it by itself.
  std::string law;
  OperatorVersion version;
  std::optional<ElementType> type;  ///< T; nullopt for a foreign model that was not judged
  AxisValues axes;                  ///< axis_values of the case
  Expectation expectation;
  OutcomeKind outcome = OutcomeKind::HarnessError;
  std::string outcome_message;
  int signal = 0;
  /// Set: the case is *flaky*. `outcome` is the worse of two identical calls, this the other; it never passes.
  std::optional<OtherOutcome> flaky;
  std::vector<Misconduct> misconduct;
  Timings timings;
  Judgement judgement;
  /// Known readings of the engine for the clauses that the case touches, where the judgement is not simply that it
  /// conforms.
  Readings known_readings;
  std::optional<ContractId> given_contract;  ///< under which the user asked to judge the engine
  std::vector<Evidence> evidence;            ///< of clauses, from cases that are there to decide one
  std::optional<Reduction> reduction;        ///< of one failing finding for each signature
  std::string signature;                     ///< what findings of one cause share (docs/reports.md); "" for a pass
  bool pass = false;                         ///< the default gate's word, with the contract declared for the engine
};

}  // namespace cellproof
