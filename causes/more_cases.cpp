#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "causes/made_cases.hpp"
#include "causes/rivals.hpp"

#include "oracle/answers.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::causes {
namespace {

/// Cases that are asked about again, those for one fault, how many faults, and how often each is.
constexpr std::size_t most_asked_again = 12, most_passes_for_each = 2, most_faults_in_doubt = 6;
constexpr std::uint64_t times_asked_again = 3;

}  // namespace

/// Open cases that faults explain, and passes that speak against these: the smallest.
std::vector<const Cover::Item*> Rivals::undecided_cases() {
  std::vector<Cover::Item*> by_size;
  for (Cover::Item& item : cover_.items()) by_size.push_back(&item);
  std::ranges::stable_sort(by_size, {}, &Cover::Item::size);
  std::vector<const Cover::Item*> undecided;
  std::set<const oracle::Fault*> known;
  for (const Cover::Item* item : by_size) {
    const bool is_open = !item->passes && item->standing == Standing::Excluded && item->named && !item->named->empty();
    if (!is_open || undecided.size() >= most_asked_again) continue;
    undecided.push_back(item);
    for (const oracle::Fault* fault : *item->named) {
      if (!known.insert(fault).second || known.size() > most_faults_in_doubt) continue;
      std::size_t passes = 0;
      for (Cover::Item* other : by_size) {
        if (passes == most_passes_for_each) break;
        if (!other->passes || other->place == item->place || !other->rejudged.is_touched_by(*fault)) continue;
        FaultSet with = cover_.acting_on(*other);
        with.push_back(fault);
        if (!other->rejudged.is_surely_excluded(with)) continue;
        undecided.push_back(other);
        ++passes;
      }
    }
  }
  return undecided;
}

/// Asks the engine a case like that of the item, and tells the cover.
void Rivals::learn(const Case& c, const Cover::Item& item) {
  if (calls_ == most_calls) return;
  Problem problem = oracle::with_all_outputs(make_problem(c));
  if (!is_small_and_valid(problem)) return;
  ++calls_;
  std::optional<Outputs> outputs = ask_(problem);
  if (!outputs) return;
  auto& [finding, answered] = more_.emplace_back();
  finding.version = c.version;
  finding.type = c.type;
  finding.case_line = to_text(c);
  oracle::Answers answers;
  answers.outcome.kind = finding.outcome = OutcomeKind::Ran;
  answers.outcome.outputs = *outputs;
  finding.judgement = oracle::decide(problem, expectation_of(problem), answers, {}, {});
  finding.pass = oracle::passes_gate(answers.outcome, finding.judgement, std::nullopt);
  const Answered& like = item.rejudged.answered();
  answered = {&finding, like.declared, like.followed, {{std::move(problem), std::move(*outputs)}}};
  cover_.learn(answered);
}

void Rivals::ask_for_more() {
  for (const Cover::Item* item : undecided_cases()) {
    const std::optional<Case> shown = case_shown_by(item->rejudged.finding());
    for (std::uint64_t more = 1; shown && more <= times_asked_again; ++more)
      learn(with_other_numbers(*shown, more), *item);
  }
  if (!more_.empty()) cover_.search();
}

}  // namespace cellproof::causes
