// Each law finds, on its cases of suite `laws`, the mutants that are wrong in what it is about.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/law.hpp"
#include "fuzz/law_suite.hpp"
#include "lab/mutants/mutants.hpp"

namespace cellproof::fuzz {
namespace {

using lab::mutants::Mutant;

/// Mutants that each law must kill. Most laws find state that is kept from the call before, as each runs something
/// twice: it is named only for those that are about calls.
const std::map<std::string_view, std::vector<std::string_view>>& must_kill() {
  static const std::map<std::string_view, std::vector<std::string_view>> table = {
      {"absent-is-empty", {"bias-ignored@empty-name"}},
      {"backward-half", {"backward-not-reversed", "backward-takes-forward-weights", "directions-swapped-in-y-h"}},
      {"batch-permutation", {"rows-reversed-in-y", "state-leaks-to-next-sequence", "length-of-first-for-all"}},
      {"batch-split", {"states-of-first-sequence", "shortest-length-for-all", "state-leaks-to-next-sequence"}},
      {"bias-halves-exchanged", {"rb-ignored", "wb-ignored", "bias-interleaved"}},
      {"bias-halves-merged", {"rb-ignored", "wb-doubled", "rb-negated"}},
      {"clip-beyond-everything", {"clips-above-by-default"}},
      {"coupled-gates-opposed",
       {"input-forget-ignored", "forget-gate-complemented", "peephole-i-missing@coupled", "gate-order-ifoc"}},
      {"defaults-written", {"forward-taken-for-reverse"}},
      {"feature-permutation", {"first-input-dropped", "last-product-dropped"}},
      {"forward-half", {"both-reversed", "forward-takes-backward-weights", "directions-swapped-in-y"}},
      {"full-lengths", {"initial-h-ignored@lengths-given", "previous-input@lengths-given"}},
      {"functions-written", {"rb-ignored@functions-named"}},
      {"layout",
       {"layout-ignored-in-x", "layout-ignored-in-y", "layout-ignored-in-y-h", "layout-ignored-in-y-c",
        "layout-ignored-in-initial-h", "layout-ignored-in-initial-c", "layout-ignored-in-states"}},
      {"linear-before-reset-without-recurrence", {"rb-ignored@resets-linearly"}},
      {"odd-function", {"clip-lower-side-only", "clip-upper-side-only"}},
      {"opset-upgrade", {"wb-ignored@newest-version"}},
      {"output-subset", {"lengths-ignored@y-not-asked", "y-h-is-zero@y-not-asked", "y-c-is-y-h"}},
      {"padding-contents", {"lengths-ignored", "reverse-starts-in-padding", "length-one-too-long"}},
      {"power-of-two", {"clips-above-by-default", "clip-squared"}},
      {"presentation", {"lengths-ignored@symbolic-sizes"}},
      {"quantised-dequantised", {"w-scale-ignored", "r-zero-point-ignored", "w-read-as-in-lstm"}},
      {"ragged-is-dense", {"lengths-ignored", "shortest-length-for-all", "reverse-starts-in-padding"}},
      {"repeated-run", {"state-kept-from-the-call-before"}},
      {"reverse-is-flipped-forward", {"direction-ignored", "y-in-processing-order", "reverse-starts-in-padding"}},
      {"row-repeated", {"rows-reversed-in-y", "state-leaks-to-next-sequence"}},
      {"sequence-of-calls", {"state-kept-from-the-call-before"}},
      {"silent-feature", {"last-product-dropped"}},
      {"thread-counts", {"batch-halves-overlap"}},
      {"time-prefix", {"length-off-by-one", "reverse-by-default"}},
      {"time-split", {"initial-h-ignored", "initial-c-ignored", "y-h-is-first-row", "y-c-is-zero"}},
      {"unit-permutation", {"bias-of-first-unit-for-all", "tail-of-8-dropped-in-r"}},
      {"weights-by-either-way", {"r-not-transposed@r-from-graph", "wb-ignored@b-from-graph"}},
      {"weights-rescaled", {"w-scale-ignored", "scales-exchanged"}},
      {"zero-bias", {"initial-h-ignored@no-bias"}},
      {"zero-initial-c", {"cell-not-carried@no-initial-c"}},
      {"zero-initial-h", {"rb-ignored@no-initial-h"}},
      {"zero-peepholes", {"r-not-transposed@no-peepholes"}},
  };
  return table;
}

bool breaks(const LawTrial& trial, const Mutant& mutant) {
  lab::mutants::Session session(mutant);
  const auto ran = [&](const Problem& each, int threads) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = session.run(each, threads);
    return outcome;
  };
  const auto alone = [&](const Problem& each) { return ran(each, 1); };
  return try_law(trial, alone, ran).kind == LawResult::Kind::Broken;
}

TEST(LawKills, TheMutantsThatAreWrongInWhatTheLawIsAbout) {
  std::map<std::string, std::vector<LawTrial>> trials;
  for (const auto& [name, c, law, clause] : law_cases(12))
    trials[law].push_back(*trial_of(law_named(law), make_problem(c)));
  for (const Law& law : laws()) {
    const auto row = must_kill().find(law.id);
    ASSERT_NE(row, must_kill().end()) << law.id;
    EXPECT_FALSE(row->second.empty()) << law.id;
    for (const std::string_view id : row->second) {
      const Mutant* mutant = lab::mutants::mutant_named(id);
      ASSERT_NE(mutant, nullptr) << id;
      EXPECT_TRUE(std::ranges::any_of(trials[std::string(law.id)],
                                      [&](const LawTrial& trial) { return breaks(trial, *mutant); }))
          << law.id << " does not find " << id;
    }
  }
}

}  // namespace
}  // namespace cellproof::fuzz
