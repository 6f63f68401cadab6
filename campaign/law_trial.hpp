#pragma once

#include "engines/probe.hpp"
#include "fuzz/law.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Says of an engine what a law makes of it, as the oracle would put it: CONFORMS where it holds; DIVERGES where it is
/// broken, with the law's id for the kind of violation, or "nan" where all runs agree on NaN and should not; UNDECIDED
/// where it says nothing of the problem or of the engine. Where a run did not end well, that run's outcome, and no
/// verdict. `declared`: its contract may be given.
struct LawAnswer {
  Outcome outcome;
  Judgement judgement;
  bool only_bits_differ = false;  ///< fuzz::LawResult
};

LawAnswer answer_to_law(const fuzz::Law& law, const Problem& problem, const engines::Probe& engine,
                        const fuzz::ThreadedProbe& threaded, const fuzz::Declared& declared = {});

}  // namespace cellproof::campaign
