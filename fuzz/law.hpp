#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/probe.hpp"
#include "oracle/tolerance.hpp"
#include "spec/contract.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::fuzz {

/// One element of one output of one run.
struct Place {
  std::size_t run = 0;
  std::size_t output = 0;
  std::size_t element = 0;
};

/// The left element is, over the real numbers, `factor` times the right one, or at most `slack` away from it.
struct Equation {
  Place left, right;
  double factor = 1;
  double slack = 0;
};

/// A law's question to an engine: to compute these problems, one after the other.
struct Experiment {
  std::vector<Problem> problems;
  std::vector<Equation> equations;
  /// Laws with which, all of them together, the law holds, too: what it says under another reading. Empty: it has no
  /// other.
  std::vector<Equation> otherwise;
  /// One more problem, made of what came of the others, is computed at the end; nothing where they did not give what
  /// it takes. Honest sets of the first problem hold its values, too: they are reached by the same steps, begun anew
  /// from a value within them.
  std::function<std::optional<Problem>(const std::vector<Outcome>&)> last;
  /// The runs are of one problem, or of two in which every operation gives the same, so the engine has no freedom: the
  /// elements must have the same bits. Otherwise they may differ by what the certified bounds of the two runs leave
  /// open (oracle/tolerance.hpp).
  bool same_bits = false;
  /// The engine promises the same bits in all these runs (Declared::same_bits); NaNs are alike.
  bool promised_bits = false;
  /// Bound on Y: where no element of it is nearer to zero than this, nor farther than its inverse, zeros apart, nothing
  /// under- or overflows on the way: both sides of each equation are equal as numbers. Elsewhere, and where this is
  /// empty, the bounds count.
  std::optional<double> exact_from;
  /// The slack of each equation has room for all honest rounding, too.
  bool slack_is_all = false;
  /// A problem whose bounds hold for every run, where the runs have nothing but its rows; otherwise each has its own.
  std::optional<Problem> bounded_by;
  /// With how many threads each of the problems is computed; empty: as the engine does by itself.
  std::vector<int> threads;
};

/// Computes a problem with so many threads; empty where nobody knows how to tell the engine.
using ThreadedProbe = std::function<Outcome(const Problem& problem, int threads)>;

/// A relation between runs of one engine that needs no expected values.
struct Law {
  std::string_view id;
  std::string_view what;  ///< a sentence
  /// Nothing where the precondition does not hold: the law says nothing of this problem.
  std::optional<Experiment> (*experiment)(const Problem& problem);
  bool also_quantised = false;  ///< does it speak of DynamicQuantizeLSTM, too?
  /// Clauses about what is not the same in all runs, so that the runs of an engine need not agree under every
  /// reading: where one is touched the law says nothing.
  std::vector<Clause> changed = {};
  /// Wish of the suite for the law's cases: axis values that one case has together,
  /// "direction=bidirectional input.initial_h=graph".
  std::vector<std::string_view> about = {};
  /// Its runs differ only in what Declared::same_bits speaks of.
  bool keeps_promised_bits = false;
};

/// Words of an engine about itself.
struct Declared {
  std::optional<ContractId> contract;  ///< nullopt: the type's default
  /// A sequence has the same bits with any number of threads, alone and in any batch, at once and in parts begun from
  /// the states before, where W and R are no graph inputs.
  bool same_bits = false;
};

/// All laws, in the order of their ids; fuzz/laws/ has a file for each family of them.
std::span<const Law> laws();
/// Throws std::invalid_argument that lists what there is.
const Law& law_named(std::string_view id);

/// Result of a law on a problem.
struct LawResult {
  enum class Kind {
    Holds,
    Broken,
    NotApplicable,  ///< the precondition does not hold, or no useful bound is known
    Refused,        ///< the engine does not run one of the problems
    Died,           ///< a crash, a hang or the like
  };
  Kind kind = Kind::NotApplicable;
  std::string message;           ///< one sentence
  std::optional<Outcome> ended;  ///< of Refused and Died: what became of that run
  /// Refines Broken: the runs agree, on NaN where honest runs give numbers. Every law finds that, and none says more of
  /// it.
  bool agree_on_nan = false;
  /// Refines Broken: both sides have the element, and not the same bits, as they must. No wrong formula explains that.
  bool only_bits_differ = false;
};
std::string_view name(LawResult::Kind kind);

/// A law and a problem of which it speaks: what is to be run, and how far from what is exact an honest run may be.
struct LawTrial {
  Experiment experiment;
  std::vector<oracle::HonestTolerance> tolerances;
};

/// Returns what the law asks of an engine; nothing where it says nothing of the problem, whatever the bounds are. Much
/// cheaper than trial_of.
std::optional<Experiment> experiment_of(const Law& law, const Problem& problem);
/// The same, of a problem that is known to break no rule: dozens of laws may be asked about one.
std::optional<Experiment> experiment_of_valid(const Law& law, const Problem& problem);

/// Nothing where the law says nothing of the problem. The bounds are those of the contract that the engine declares,
/// where it is wider than the type's default, and those of the widest of all readings that are open: a law relates runs
/// that all have the same reading, whichever that is. Of more than `most_readings` of them it says nothing.
std::optional<LawTrial> trial_of(const Law& law, const Problem& problem, const Declared& declared = {});
inline constexpr std::size_t most_readings = 32;

/// Runs the experiment through the engine and compares. An experiment with thread counts is not applicable where
/// `threaded` is empty.
LawResult try_law(LawTrial trial, const engines::Probe& engine, const ThreadedProbe& threaded = {});
LawResult try_law(const Law& law, const Problem& problem, const engines::Probe& engine,
                  const ThreadedProbe& threaded = {}, const Declared& declared = {});

}  // namespace cellproof::fuzz
