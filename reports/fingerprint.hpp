#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// Certainty about the answer that an engine gives to a clause.
enum class Decision {
  Proved,      ///< some case leaves one answer, and no case another one
  Narrowed,    ///< several answers fit all cases
  Mixed,       ///< different cases prove different answers
  Unlisted,    ///< what it did fits none of the answers, in every case that tells something
  Silent,      ///< cases were run, and ended in gaps, crashes or undecided results
  NotTested,   ///< no case of the run was there to decide it
  NotOutside,  ///< nothing of it can be seen from outside
};
std::string_view name(Decision decision);

/// One clause of one engine, for the operators on which it does the same.
struct FingerprintRow {
  Clause clause = Clause::ClipScope;
  std::vector<Operator> operators;  ///< those whose cases say so; empty for NotTested and NotOutside
  Decision decision = Decision::NotTested;
  std::vector<Answer> answers;  ///< the one proved, those that still fit, or those that different cases prove
  std::size_t cases = 0;        ///< that tell something of it
  std::size_t unlisted = 0;     ///< of those: what the engine did fits no answer, a wrong result
  bool refused = false;         ///< Silent because the engine refuses every case that would tell: a gap
  std::string example;          ///< case line of the shortest case that proves it, or tells something at all
};

/// Does any finding carry evidence, so that there is a fingerprint to show?
bool has_fingerprint(const std::vector<Finding>& findings);

/// Which reading of each clause an engine's outputs prove: at least one row for every clause, in table order.
std::vector<FingerprintRow> fingerprint_of(const std::vector<Finding>& findings, std::string_view engine);

/// One row's answer in words: "gates", "gates or gates+cell", "fits no listed reading", "not tested".
std::string words_of(const FingerprintRow& row);

/// Is it something that the reader should look at: another answer than the default, several, or a wrong result?
bool is_remarkable(const FingerprintRow& row);

}  // namespace cellproof::reports
