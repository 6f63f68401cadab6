#include "campaign/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "campaign/at_once.hpp"
#include "campaign/progress.hpp"
#include "campaign/same_failure.hpp"
#include "reports/grouping.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"
#include "spec/resized.hpp"

namespace cellproof::campaign {
namespace {

/// The case with generated numbers, and more of them: few and simple ones need not tell functions apart.
Case with_other_numbers(Case c) {
  constexpr std::int64_t enough = 3;
  for (const std::string_view size : {"T", "N", "I", "H"})
    if (size_of(c, size) > 0 && size_of(c, size) < enough) c = resized(c, size, enough);
  for (std::size_t k = 0; k < c.inputs.size(); ++k) {
    const auto* generated = std::get_if<Generated>(&c.inputs[k].values);
    const bool is_simple = generated == nullptr || generated->regime == Regime::Zero;
    if (k != input::sequence_lens && is_simple) c.inputs[k].values = Generated{};
  }
  return c;
}

/// Does the case still fail as the finding does, as far as the limits let it be asked?
class Questions {
 public:
  Questions(const Finding& finding, const EngineUnderTest& engine, const engines::Probe& run,
            const ReductionLimits& limits)
      : failure_(finding, engine, run), limits_(limits), by_chance_(finding.flaky.has_value()) {}

  /// A case that was asked several times, all counted together, and what it answered when it failed first.
  struct Count {
    Frequency frequency;
    std::optional<Answer> failure;
  };

  /// Counts how often the case fails. One that fails at once is taken to do so always, unless chance is known to be in
  /// it. Is asked once past all limits.
  Count count(const Case& c, SameFailure::Faults faults = SameFailure::Faults::All) {
    std::optional<Answer> failure;
    Frequency& sum = counted_[case_hash(c)];
    for (int k = 0; k < limits_.tries && (k == 0 || fits(1)); ++k) {
      std::optional<Answer> answer = again(c, faults);
      ++sum.asked;
      sum.failed += answer.has_value();
      if (answer && !failure) failure = std::move(answer);
      if (sum.always() && !by_chance_) break;
    }
    by_chance_ = by_chance_ || (sum.failed > 0 && !sum.always());
    return {sum, std::move(failure)};
  }

  bool still_fails(const Case& c) {
    const bool fails = answered(c);
    if (fails) failing_.push_back(c);
    return fails;
  }

  /// Smallest case that fails once more, of the last ones that failed: an engine that reads what is not there does not
  /// fail every time. Nothing if none of these does.
  std::optional<std::pair<Case, Count>> smallest_again(const Case& smallest) {
    constexpr std::size_t most_tried = 8;
    if (Count counted = count(smallest); counted.failure) return std::pair(smallest, std::move(counted));
    complete_ = false;
    for (std::size_t k = 0; k < std::min(most_tried, failing_.size()); ++k) {
      const Case& larger = failing_[failing_.size() - 1 - k];
      if (Count counted = count(larger); counted.failure) return std::pair(larger, std::move(counted));
    }
    return std::nullopt;
  }

  /// The first case that the engine passes among those that have one of the guilty values at its axis's default.
  std::optional<PassingCase> passing_beside_smallest(const Case& smallest, const AxisValues& guilty) {
    constexpr std::size_t most_asked = 3;
    if (!failure_.is_of_one_call()) return std::nullopt;
    for (std::size_t k = 0; k < std::min(most_asked, guilty.size()) && fits(1); ++k) {
      const Axis& row = axis(guilty[k].first);
      const Case other = row.apply(smallest, row.values(smallest.version).front());
      if (failure_.passes(failure_.ask(other, SameFailure::Faults::TheSame))) return passing_beside(smallest, other);
    }
    return std::nullopt;
  }

  /// The guilty values, where several other functions in the place of one fail, too, as "any": it is the place.
  AxisValues with_places(const Case& smallest, AxisValues guilty) {
    constexpr std::size_t enough = 3;
    const Case larger = with_other_numbers(smallest);
    for (AxisValue& value : guilty) {
      // Asked besides: it makes nothing smaller.
      if (!value.first.starts_with("activation.") || !complete_ || !fits(enough + 1 + limits_.tries)) continue;
      const Axis& row = axis(value.first);
      std::vector<std::string> others = row.values(smallest.version);
      others.erase(others.begin());  // the default, which does not fail
      std::erase(others, value.second);
      others.resize(std::min(enough, others.size()));
      const auto fails = [&](const std::string& other) { return answered(row.apply(larger, other)); };
      if (std::ranges::all_of(others, fails)) value.second = "any";
    }
    return guilty;
  }

  bool complete() const { return complete_; }
  std::int64_t calls() const { return failure_.calls(); }
  Frequency frequency_of(const Case& c) const { return counted_.at(case_hash(c)); }

 private:
  std::optional<Answer> again(const Case& c, SameFailure::Faults faults) {
    const std::int64_t before = failure_.calls();
    Answer answer = failure_.ask(c, faults);
    calls_each_ = std::max(calls_each_, failure_.calls() - before);
    hangs_ += answer.outcome.kind == OutcomeKind::TimedOut;
    return failure_.is_alike(answer) ? std::optional(std::move(answer)) : std::nullopt;
  }

  bool answered(const Case& c) {
    const std::string hash = case_hash(c);
    if (const auto known = answers_.find(hash); known != answers_.end()) return known->second;
    if (limits_.journal != nullptr) {
      if (const auto known = limits_.journal->answer_to(hash)) return answers_[hash] = *known;
    }
    const int tries = by_chance_ ? limits_.tries : 1;
    bool fails = false;
    for (int k = 0; k < tries && !fails; ++k) {
      // The last answers, about what is left in the end, must fit in, too.
      complete_ = complete_ && fits(1 + tries);
      if (!complete_) return false;
      fails = again(c, SameFailure::Faults::TheSame).has_value();
    }
    answers_[hash] = fails;
    if (limits_.journal != nullptr) limits_.journal->note(hash, fails);
    if (limits_.on_answer) limits_.on_answer();
    return fails;
  }

  /// May the case be asked so many times more?
  bool fits(std::int64_t times) const {
    return failure_.calls() + times * calls_each_ <= limits_.most_calls && hangs_ < limits_.most_hangs &&
           !(limits_.stop && limits_.stop()) && !(limits_.late && limits_.late());
  }

  SameFailure failure_;
  const ReductionLimits& limits_;
  std::map<std::string, bool> answers_;
  std::map<std::string, Frequency> counted_;
  std::vector<Case> failing_;
  std::int64_t calls_each_ = 1;
  int hangs_ = 0;
  bool by_chance_;
  bool complete_ = true;
};

bool can_be_reduced(const Finding& finding) {
  return !finding.pass && finding.case_line.starts_with("cellproof-case/") &&
         finding.outcome != OutcomeKind::TimedOut && finding.outcome != OutcomeKind::HarnessError &&
         finding.outcome != OutcomeKind::EngineAbsent;
}

std::optional<Case> readable_case(const std::string& line) {
  try {
    return parse_case(line);
  } catch (const CaseTextError&) {  // a literal too large for the line
    return std::nullopt;
  }
}

/// Positions of the findings that stand for the first so many signatures, those left out that have a reduction.
std::vector<std::size_t> representatives(const std::vector<Finding>& findings, std::size_t signatures) {
  std::set<std::string> done;
  for (const Finding& finding : findings) {
    if (finding.reduction) done.insert(finding.signature);
  }
  std::vector<std::size_t> chosen;
  std::set<std::string> seen;
  for (const reports::Group& group : reports::groups_of({}, findings)) {
    const Finding& shown = *group.representative;
    if (!can_be_reduced(shown) || seen.size() == signatures || !seen.insert(shown.signature).second) continue;
    if (!done.contains(shown.signature)) chosen.push_back(static_cast<std::size_t>(&shown - findings.data()));
  }
  return chosen;
}

std::int64_t elements_judged(const Finding& finding) {
  const auto& elements = finding.judgement.elements;
  return std::accumulate(elements.begin(), elements.end(), std::int64_t{0});
}

/// The fault that the finding's signature names comes first: the others are what a smaller case leaves possible.
std::string what_is_said_of(const Answer& answer, const Finding& finding) {
  if (answer.outcome.kind != OutcomeKind::Ran) return answer.outcome.message;
  std::vector<std::string> faults = answer.judgement.faults;
  if (faults.empty()) return sentence_of(answer.judgement);
  const std::string& named = finding.judgement.faults.front();
  std::ranges::stable_partition(faults, [&](const std::string& fault) { return fault == named; });
  return fmt::format("{}; behaves like {}", sentence_of(answer.judgement), fmt::join(faults, ", "));
}

}  // namespace

std::string to_text(const Frequency& frequency) {
  return fmt::format("failed {} of {} times", frequency.failed, frequency.asked);
}

std::optional<Reduced> reduce_case(const Case& start, const Finding& finding, const EngineUnderTest& engine,
                                   const engines::Probe& run, const ReductionLimits& limits) {
  Questions questions(finding, engine, run, limits);
  Questions::Count at_first = questions.count(start, SameFailure::Faults::TheSame);
  if (!at_first.failure) return std::nullopt;
  const auto still_fails = [&](const Case& c) { return questions.still_fails(c); };
  oracle::Minimised minimised = oracle::minimise(start, still_fails, limits.reach);
  std::optional<std::pair<Case, Questions::Count>> found = questions.smallest_again(minimised.smallest);
  // Whatever failed since fails no more; that the first one did is sure.
  if (!found) found = std::pair(start, Questions::Count{questions.frequency_of(start), std::move(at_first.failure)});
  auto& [smallest, count] = *found;
  Reduction record;
  record.runs = questions.calls();
  record.case_line = to_text(smallest);
  record.guilty = smallest == minimised.smallest ? questions.with_places(smallest, std::move(minimised.guilty))
                                                 : axis_values(smallest);
  record.message = what_is_said_of(*count.failure, finding);
  if (!count.frequency.always()) record.message += "; " + to_text(count.frequency);
  record.first = count.failure->judgement.first;
  // Asked besides: it makes nothing smaller, so it does not count.
  record.passing = questions.passing_beside_smallest(smallest, record.guilty);
  if (limits.journal != nullptr) record.runs += static_cast<std::int64_t>(limits.journal->taken_over());
  record.complete = questions.complete();
  const bool steady = smallest == minimised.smallest;
  return Reduced{std::move(smallest), std::move(record), at_first.frequency, count.frequency, steady};
}

std::optional<Reduction> reduce(const Finding& finding, const EngineUnderTest& engine, const engines::Probe& run,
                                const ReductionLimits& limits) {
  if (!can_be_reduced(finding)) return std::nullopt;
  for (const std::string& line : {smallest_line(finding), finding.case_line}) {
    const std::optional<Case> start = readable_case(line);
    std::optional<Reduced> reduced = start ? reduce_case(*start, finding, engine, run, limits) : std::nullopt;
    if (reduced) return std::move(reduced->record);
    if (line == finding.case_line) break;  // else what failed by chance may fail here again
  }
  return std::nullopt;
}

std::vector<std::size_t> reduce_representatives(std::vector<Finding>& findings, const EngineUnderTest& engine,
                                                const engines::Probe& run, std::size_t signatures,
                                                const ReductionLimits& limits,
                                                const std::function<void(Finding&)>& keep) {
  std::vector<std::size_t> chosen = representatives(findings, signatures);
  if (chosen.empty()) return {};
  // Findings that take longest begin first, so that none ends long after all others.
  std::ranges::stable_sort(chosen, std::greater(), [&](std::size_t k) { return elements_judged(findings[k]); });
  std::optional<Progress> progress;
  if (limits.shows_progress) progress.emplace(engine.name + ": smaller cases", std::ssize(chosen));
  std::mutex mutex;  // guards `reduced`
  std::vector<std::size_t> reduced;
  at_once("to reduce cases", chosen.size(), [&](std::size_t k) {
    if ((limits.stop && limits.stop()) || (limits.late && limits.late())) return;
    Finding& finding = findings[chosen[k]];
    finding.reduction = reduce(finding, engine, run, limits);
    if (finding.reduction) keep(finding);
    if (progress) progress->advance("");
    const std::scoped_lock lock(mutex);
    if (finding.reduction) reduced.push_back(chosen[k]);
  });
  std::ranges::sort(reduced);
  return reduced;
}

}  // namespace cellproof::campaign
