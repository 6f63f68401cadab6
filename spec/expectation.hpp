#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof {

/// A rule that a problem breaks.
struct Violation {
  std::string rule;     ///< stable id: "attribute-unknown", "shape-of-W", "type-of-sequence_lens", ...
  std::string clause;   ///< where it is written: "LSTM-7: attributes", "LSTM-22: input X"; for acceptance clauses
                        ///< their id
  std::string message;  ///< what, where, what was expected
};

/// Behaviour of a conforming engine on a problem.
struct Expectation {
  enum class Kind { Accept, Refuse, Either };
  Kind kind = Kind::Accept;
  std::vector<Violation> violations;  ///< Refuse: at least one
  std::vector<Clause>
      clauses;  ///< Either: the acceptance clauses (or value clauses with a `refuse` reading) that leave it open
};
std::string_view name(Expectation::Kind kind);

/// Every rule of the operator's version table applied to the problem (spec/rules), which may be anything: never throws.
Expectation expectation_of(const Problem& problem);
/// The same of the problem that a case makes. No rule looks at a floating-point value, so that none is made. Throws
/// what make_problem throws.
Expectation expectation_of(const Case& c);

/// The case with every broken rule repaired and all else kept: what an engine must run before its refusal of `c` counts
/// as right. nullopt when `c` is valid, or when it cannot be repaired (make_problem refuses its sizes).
std::optional<Case> valid_twin(const Case& c);

}  // namespace cellproof
