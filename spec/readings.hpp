#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof {

/// The clauses of the specification that can be read in more than one way, or that need settling, in the order of the
/// table in spec/clause_table.cpp.
enum class Clause {
  ClipScope,
  ClipZero,
  NoClipIsIeee,
  InputForget,
  InputForgetWeights,
  AlphaConsumption,
  AlphaListLength,
  AlphaAcrossDirections,
  DefaultsAffineScaledTanh,
  DefaultThresholdedRelu,
  ThresholdedReluEquality,
  ActivationNameCase,
  ActivationCount,
  PaddingOfY,
  ZeroLengthState,
  LengthOutOfRange,
  ReverseStartsAtLength,
  ReverseOutputOrder,
  HiddenSizeAbsent,
  Gru1DirectionDefault,
  RTransposed,
  OutputSequence,
  GruParenthesis,
  LinearBeforeResetOther,
  LayoutOther,
  PaddingContents,
  SixteenBitArithmetic,
  MathematicalValue,
  EmptySequenceState,
  AnyOutputSubset,
  SummationOrder,
  DqGranularity,
  DqAxis,
  AbsentIsZero,
  AbsentInitialC,
  DefaultParametersInDouble,
  DqFinishedRows,
  DqZeroPoint,
  EmptyNameBefore7,
};
inline constexpr std::size_t clause_count = 39;

/// Use that a verdict makes of a clause.
enum class ClauseKind {
  Value,       ///< every listed reading is admissible; another than the default gives READING
  Settled,     ///< text, official tests or IEEE decide; anything else DIVERGES
  Acceptance,  ///< refusing is as good as accepting; when accepted, the default's value must come out
  Invalid,     ///< must be refused
  Contract,    ///< not a reading: precision contracts
};
std::string_view name(ClauseKind kind);

/// One of the ways to read a clause.
struct ListedReading {
  std::string_view id;  ///< "gates"
  std::string_view words =
      {};  ///< what an engine does that reads it so: "clips the gates alone"; empty for defaults and refusals
};

struct ClauseInfo {
  Clause clause;
  std::string_view id;  ///< "clip-scope"
  ClauseKind kind;
  std::vector<ListedReading> readings;  ///< the default first; empty where there is nothing to choose
  bool executable;                      ///< do reference and judge implement every listed reading?
  std::string_view text;                ///< what is open, and why the default was chosen
  /// May an engine refuse a problem that touches the clause? So for each acceptance clause, for value clauses that list
  /// `refuse`, and where a refusal is a known gap (empty sequences, zero points per column, which list no `refuse`).
  bool refusable = false;
};

/// All clauses in table order; clauses()[i].clause == Clause(i).
std::span<const ClauseInfo> clauses();
const ClauseInfo& info(Clause clause);
/// By id; nullopt for an unknown one.
std::optional<Clause> clause_named(std::string_view id);

/// Ids of the readings that a clause lists, the default first.
std::vector<std::string_view> reading_ids(const ClauseInfo& clause);

/// A clause and one of the readings that it lists.
struct ReadingChoice {
  Clause clause;
  std::string_view reading;
};
/// The choice as something that an engine does: "clips the gates alone, ...".
std::string in_words(const ReadingChoice& choice);

/// One choice for each clause. Default-constructed: the default everywhere.
class Readings {
 public:
  /// Is this the chosen reading? Throws std::logic_error when the clause does not list `reading`, so that a typing
  /// error in a consumer cannot pass for a choice.
  bool is(Clause clause, std::string_view reading) const;
  /// The chosen reading; "" for a clause that lists none.
  std::string_view of(Clause clause) const;
  /// Throws std::invalid_argument when the clause does not list `reading`.
  Readings with(Clause clause, std::string_view reading) const;
  bool are_default() const { return *this == Readings{}; }
  /// The choices that are not the default, in table order.
  std::vector<ReadingChoice> choices() const;
  /// The same as text: "clip-scope=gates".
  std::vector<std::string> differences() const;
  /// The choices that differences() wrote. Throws std::invalid_argument for what it cannot have written.
  static Readings of_differences(std::span<const std::string> differences);
  friend bool operator==(const Readings&, const Readings&) = default;

 private:
  std::array<unsigned char, clause_count> choice_{};
};

/// The clauses on which this problem's expected result or acceptance could depend, in table order: ClipScope when an
/// LSTM has clip, PaddingOfY when Y is asked for and a length is below T, and so on. May name one too many, never one
/// too few.
std::vector<Clause> clauses_touched(const Problem& problem);

}  // namespace cellproof
