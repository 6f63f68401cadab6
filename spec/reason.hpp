#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "spec/contract.hpp"
#include "spec/element_type.hpp"
#include "spec/outcome.hpp"
#include "spec/readings.hpp"
#include "spec/tensor.hpp"

namespace cellproof {

/// A sentence that is text already: of a law, of a file, or of a record that was read.
using Words = std::string;

/// An output that has not the number, type or shape that was asked for.
struct BrokenOutput {
  enum class Kind { Missing, Type, Shape, NotAskedFor };
  Kind kind = Kind::Missing;
  std::size_t position = 0;  ///< of the output, among those that came
  ElementType type = ElementType::Float, expected_type = ElementType::Float;
  Shape shape = {}, expected_shape = {};
};

/// The reasons of a judgement, as kinds and numbers. Numbers that the judgement itself holds are not repeated.
namespace reason {

/// So many elements are verified, as the judgement's counts say.
struct Verified {};
/// Likewise, but too few.
struct TooLittle {
  bool without_Y = false;  ///< with it, each step could be judged by itself
};
/// The judgement's bits do not tell of so many elements on which side of their bound they lie.
struct StillOpen {
  std::int64_t elements = 0;
};
/// The judgement's first violation.
struct BeyondBound {
  bool from_own_state = false;     ///< one step from the engine's own state says what is expected
  bool worst_case_admits = false;  ///< though usual orders of summation do not lead there
};
/// An output as a whole, which the judgement's first violation holds.
struct WrongOutput {};
/// The judgement's first violation is an element that another set of requested outputs changes.
struct ChangedOutput {};
/// The outputs show that a fault is not there.
struct FaultNotThere {
  std::string fault;  ///< id
};
struct Misbehaved {
  Misconduct misconduct;
};
/// The end of a call that gave nothing to judge.
struct Answered {
  enum class As {
    Is,               ///< and no more is said of it
    Tolerated,        ///< a refusal that is a gap
    Admissible,       ///< a refusal that is a reading, the judgement's
    TwinNotRun,       ///< a refusal; no valid twin shows that the broken rule is why
    TwinRefused,      ///< the outcome is the twin's, and like the case's own
    Refused,          ///< as it must be, by the rule in the words
    RanThoughInvalid  ///< against the rule in the words
  };
  As as = As::Is;
  OutcomeKind outcome = OutcomeKind::HarnessError;
  Words words;  ///< the engine's own, or the broken rule's
};

/// Neither proved nor excluded under these readings.
struct OpenUnder {
  Readings readings;
};
/// Not all combinations of readings were tried.
struct NotAllTried {
  std::optional<Clause> clause = std::nullopt;  ///< whose readings cannot be computed, or else
  std::uint64_t combinations = 0;               ///< so many are too many
};
/// `double` excludes it, and balls do not confirm that.
struct Unconfirmed {
  Readings readings;
  std::optional<ContractId> contract;  ///< a wider one
};
/// Conforms under the judgement's readings.
struct ConformsUnder {};
/// These wider contracts explain what is said to be wrong under the case's own, with the judgement's readings.
struct LooksLike {
  std::vector<ContractId> contracts;
  ContractId own = ContractId::F32;
  bool in_part = false;  ///< they verify too few elements, as the judgement's counts say
};

/// Faults that were not looked for: each costs a look at all weights of the node, and the search is bounded.
struct FaultsNotTried {
  std::int64_t faults = 0, weights = 0;
};

}  // namespace reason

/// The reason of a judgement. Its sentence: sentence_of (spec/reason_words.hpp).
struct Reason {
  std::variant<Words, reason::Verified, reason::TooLittle, reason::StillOpen, reason::BeyondBound, reason::WrongOutput,
               reason::ChangedOutput, reason::FaultNotThere, reason::Misbehaved, reason::Answered>
      found = {};
  /// Beyond the first hypothesis, where another says more.
  std::variant<std::monostate, reason::OpenUnder, reason::NotAllTried, reason::Unconfirmed, reason::ConformsUnder,
               reason::LooksLike>
      searched = {};
  reason::FaultsNotTried untried = {};
  bool with_all_outputs = false;  ///< judged in a run that asks for all of them
  Words besides = {};             ///< of identical calls that say otherwise, or of other nodes of one graph
};

}  // namespace cellproof
