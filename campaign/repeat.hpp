#pragma once

#include <optional>
#include <string>

#include "engines/probe.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Evidence on an outcome that asking again has brought.
struct Repeated {
  bool differs = false;                  ///< not every call came to the same: the outcome is to be judged anew
  std::optional<OtherOutcome> flaky;     ///< the other outcome, where calls differ by chance
  std::optional<FirstViolation> memory;  ///< first element that depends on what fresh memory holds, with both values
};

/// Did the engine not survive it: a crash, a hang, too much memory?
constexpr bool is_death(OutcomeKind kind) {
  return kind == OutcomeKind::Crashed || kind == OutcomeKind::TimedOut || kind == OutcomeKind::OutOfMemory;
}
inline bool is_death(const Outcome& outcome) {
  return is_death(outcome.kind);
}

/// Do two outcomes of one problem say the same: the same kind, and for RAN the same bits and misconduct?
bool are_alike(const Outcome& a, const Outcome& b);

/// Returns an outcome as the other of two.
OtherOutcome other_outcome(const Outcome& outcome);

/// Asks the problem again, of `other_memory` where it is given and starts: the same engine, its fresh memory filled
/// otherwise.
/// Asks both once more where that comes to something else. What two calls with one filling agree on, but not two
/// with different ones, depends on memory that nobody wrote, and will again; anything else is flaky. Leaves the worse
/// of the differing outcomes in `outcome`, with the misconduct that was shown.
Repeated repeat(const Problem& problem, Outcome& outcome, const engines::Probe& ask,
                const engines::Probe& other_memory);

/// One sentence on it, to follow what is said of the outcome; "" where nothing differs.
std::string describe(const Repeated& repeated);

}  // namespace cellproof::campaign
