#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/case.hpp"
#include "spec/outcome.hpp"
#include "spec/readings.hpp"

namespace cellproof::corpus {

/// One case of a suite. Foreign cases (the official node tests) are cases with literal tensors.
struct SuiteCase {
  std::string name;  ///< "test_lstm_reverse", "LSTM-14/direction=reverse,layout=1"; unique in its suite
  Case c;
  std::string law = "";               ///< the law that is tried on it (fuzz/law.hpp); "": the oracle judges it
  std::optional<Clause> clause = {};  ///< the clause that it is there to decide
};

/// A named, ordered, deterministic sequence of cases: a list, or one without end.
struct Suite {
  /// Makes the case of a number. `ask` asks the engine under test. A case that rests on its answers is the same again
  /// where the engine answers the same.
  using Draw = std::function<SuiteCase(std::uint64_t number, const std::function<Outcome(const Problem&)>& ask)>;

  std::string name;
  std::string what;
  std::vector<SuiteCase> cases = {};
  Draw draw = {};  ///< of a sequence without end, which has no list; empty: the list is all there is
  /// Makes the cases that an engine is asked behind those of the list, by what it answers to `ask`.
  using Further = std::function<std::vector<SuiteCase>(const std::function<Outcome(const Problem&)>& ask)>;
  Further further = {};    ///< empty: there are none
  std::int64_t turns = 1;  ///< how many cases of it are tried in a round, beside other sequences without end

  bool is_endless() const { return static_cast<bool>(draw); }
};

struct SuiteInfo {
  std::string_view name;
  std::string_view what;
  bool covers = false;  ///< it is made to cover tuples of axis values, so a report counts them
};
/// The suites that are at rest: onnx-backend, smoke, invalid, readings, limits, regressions, deployed. Those that are
/// made by a search are in fuzz/suites.hpp, tiers, too.
std::span<const SuiteInfo> suites();
/// Throws std::invalid_argument for an unknown name; CorpusError where files are missing that set-up should have
/// brought.
Suite load_suite(std::string_view name);

}  // namespace cellproof::corpus
