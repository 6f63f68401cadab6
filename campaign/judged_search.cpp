#include "campaign/judged_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "campaign/needs.hpp"
#include "campaign/reduction.hpp"
#include "campaign/same_failure.hpp"
#include "oracle/signature.hpp"
#include "reports/plain_text.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

/// What a failure needs, as far as it is known.
const AxisValues& needs_of(const Finding& finding) {
  return finding.reduction ? finding.reduction->guilty : finding.axes;
}

/// Does the same thing, which has a name, explain both: faults, a wider contract, a rule that is not kept? Then it is
/// one find, whatever else its cases need.
bool have_the_same_explanation(const Finding& known, const Finding& other) {
  const auto faults_of = [](const Finding& finding) {
    return std::set(finding.judgement.faults.begin(), finding.judgement.faults.end());
  };
  const Judgement &before = known.judgement, &now = other.judgement;
  const bool has_a_name =
      !before.faults.empty() || before.verdict == Verdict::Precision || before.verdict == Verdict::AcceptedInvalid;
  return has_a_name && !known.flaky && !other.flaky && known.version.op == other.version.op &&
         known.outcome == other.outcome && before.verdict == now.verdict && before.kind == now.kind &&
         faults_of(known) == faults_of(other) &&
         (before.verdict != Verdict::Precision || (before.contract == now.contract && before.readings == now.readings));
}

}  // namespace

Finding JudgedSearch::conclude(const Trial& trial, const Outcome& outcome) {
  Finding finding = campaign::conclude(trial, engine_, {outcome}, ask_);
  ++results_[std::string(result_name(finding))];
  passed_ +=
      finding.pass && (finding.outcome == OutcomeKind::Ran || finding.judgement.verdict == Verdict::RefusedAsExpected);
  failed_ += !finding.pass;
  harness_errors_ += finding.outcome == OutcomeKind::HarnessError;
  return finding;
}

std::string JudgedSearch::judge(const Case& c) {
  const Trial trial = make_trial("fuzz", 0, {"", c});
  const Finding finding = conclude(trial, ask_(trial.problem));
  const std::string& message = finding.judgement.message.empty() ? finding.outcome_message : finding.judgement.message;
  return std::string(result_name(finding)) + (message.empty() ? "" : ": " + message);
}

JudgedSearch::Attempt JudgedSearch::attempt(std::int64_t number, const Case& c) {
  const Trial trial = make_trial("fuzz", number, {"", c});
  Attempt attempt{ask_(trial.problem), 0};
  Finding finding = conclude(trial, attempt.outcome);
  attempt.ratio = finding.judgement.worst_ratio.value_or(0);
  if (finding.pass) return attempt;
  if (Known* known = known_like(finding)) {
    ++known->count;
  } else {
    report(std::move(finding), c);
  }
  return attempt;
}

JudgedSearch::Known* JudgedSearch::known_like(const Finding& finding) {
  const auto found = std::ranges::find_if(known_, [&](const Known& known) {
    return have_the_same_explanation(known.finding, finding) ||
           (fail_alike(known.finding, finding) && (finding.flaky || has_all(finding.axes, needs_of(known.finding))));
  });
  return found == known_.end() ? nullptr : &*found;
}

void JudgedSearch::report(Finding finding, const Case& c) {
  ReductionLimits limits;
  limits.stop = stop_;
  if (auto reduced = reduce_case(c, finding, engine_, ask_, limits)) finding.reduction = std::move(reduced->record);
  std::string signature = oracle::signature(finding, needs_of(finding));
  const auto same = std::ranges::find(known_, signature, &Known::signature);
  if (same != known_.end()) {
    ++same->count;
    return;
  }
  listener_(finding, signature);
  known_.push_back({std::move(finding), std::move(signature)});
}

std::string JudgedSearch::summary() const {
  std::string text;
  for (const Known& known : known_)
    text += fmt::format("{:>8} {}\n", known.count, reports::visible_text(known.signature));
  return text;
}

}  // namespace cellproof::campaign
