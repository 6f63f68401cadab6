#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/judge.hpp"
#include "spec/expectation.hpp"
#include "spec/outcome.hpp"

namespace cellproof::oracle {

/// Runs a problem on the engine under test. The oracle asks it for twins (all outputs; the valid twin); it names no
/// engine.
using Probe = std::function<Outcome(const Problem&)>;

/// What is known of the engine when a case is decided.
struct EngineContext {
  std::optional<ContractId>
      declared;              ///< contract that it declares or that --contract gives it; nullopt: the type's default
  Readings proved;           ///< readings already proved for it, tried right after the default
  Probe probe;               ///< may be empty: no twins then (files at rest)
  bool names_faults = true;  ///< try the oracle's faults on what diverges
  std::string withheld_fault = "";  ///< but not this one: what does the search make of a fault that it does not know?
  std::string only_fault = "";      ///< where set: no fault but this one, as long as it is not one of precision
  /// May be empty. Called between hypotheses, of which there may be hundreds; what it throws ends the search.
  std::function<void()> checkpoint = {};

  void pass_checkpoint() const {
    if (checkpoint) checkpoint();
  }
};

/// The whole search of docs/verdicts.md: default; each other reading of the clauses touched; readings together;
/// wider contracts; both. First success wins; a clause touched without executable readings makes a failure UNDECIDED,
/// never DIVERGES. Cases that must be refused, or may be, are decided here too: `valid_twin` is the repaired problem
/// for a REFUSE case.
Judgement decide(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                 const EngineContext& engine, const Problem* valid_twin = nullptr);

/// The default gate of docs/verdicts.md for a decided outcome: a refusal of a valid case is a gap and passes here, a
/// crash, hang or misconduct never does.
bool passes_gate(const Outcome& outcome, const Judgement& judgement, std::optional<ContractId> declared);

}  // namespace cellproof::oracle
