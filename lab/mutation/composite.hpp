#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::lab {

/// Way from the findings of an engine to the names of its faults.
enum class NamedBy {
  Case,   ///< a greedy cover by the faults that each finding names by itself
  Model,  ///< the model of the whole engine (causes/)
};

struct CompositeOptions {
  std::int64_t engines = 100;
  std::optional<std::int64_t> only = {};  ///< of these engines: that with this number
  std::uint64_t seed = 1;
  std::size_t most_faults = 6;  ///< of one engine; it has at least one
  NamedBy named_by = NamedBy::Model;
  bool are_scoped = true;    ///< one fault in four shows for some operators, versions, types or directions only
  bool is_withheld = false;  ///< nobody knows of the faults
  std::optional<double> seconds = {};  ///< no engine is begun after that; nullopt: all are
};

/// Fate of one engine with several faults.
struct CompositeScore {
  std::vector<std::string> planted;  ///< those that a case needs, see `hidden`
  std::vector<std::string> hidden;   ///< planted, but all cases are explained without it: not counted
  std::vector<std::string> named;
  /// The ids of `named` that are not planted, nor do to every case what a planted one does that is not named. None
  /// where all that are named do the same as all that are planted, and are not more.
  std::vector<std::string> invented;
  std::vector<std::string> left;       ///< the ids of `planted` that neither are named nor have an equal that is
  std::vector<std::string> misplaced;  ///< named and planted, but the scope that was learnt excludes an answer
  std::vector<std::string> scopes;     ///< of the planted: "rb-ignored: LSTM"
  bool is_the_same = false;            ///< all that are named leave every case as all that are planted do
  std::vector<std::string> clusters;   ///< ids, of failing cases that the model does not explain
  std::int64_t calls = 0;              ///< of the engine for made cases
  std::int64_t failing = 0;            ///< cases
  std::int64_t explained = 0;          ///< of these: cases that the named faults or a contract explain
  std::int64_t redrawn = 0;            ///< sets that were drawn before and left out
  double seconds = 0;                  ///< that naming took

  bool is_whole() const { return invented.empty() && left.empty() && misplaced.empty(); }
};

/// Draws engines with several faults of the catalogue, runs the suite's cases on each, lets the judge decide them, and
/// compares the faults that are named for the engine with those that it has. Engine k depends on the seed and k alone.
/// A set is drawn again where the judge, told of all its faults, excludes an answer (faults that do not compose), or
/// where no case shows any.
std::vector<CompositeScore> score_composites(const std::vector<corpus::SuiteCase>& cases,
                                             const CompositeOptions& options);

/// Sums over engines.
struct CompositeTotals {
  std::int64_t engines = 0, whole = 0, planted = 0, named = 0, invented = 0, left = 0, misplaced = 0, failing = 0,
               explained = 0, redrawn = 0;
  /// Engines with one cluster for each fault, with a wrong name, and with faults that others do exactly.
  std::int64_t in_one_cluster = 0, misnamed = 0, the_same = 0;
  std::int64_t calls = 0;

  double precision() const { return share(named - invented, named); }
  double recall() const { return share(planted - left, planted); }
  static double share(std::int64_t part, std::int64_t all) {
    return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
  }
};
CompositeTotals totals_of(const std::vector<CompositeScore>& scores);

}  // namespace cellproof::lab
