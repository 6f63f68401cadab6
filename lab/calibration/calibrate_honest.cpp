#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "campaign/progress.hpp"
#include "campaign/start_thread.hpp"
#include "lab/calibration/calibrate.hpp"
#include "lab/calibration/random_case.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab {
namespace {

constexpr std::size_t alarms_kept = 20, left_open_kept = 200;

/// One in so many is judged of the cases of which no text speaks, for nobody must be accused of them either.
constexpr std::uint64_t one_in_is_unspecified = 10;
Case honest_case(Operator op, std::uint64_t index, std::uint64_t seed) {
  return index % one_in_is_unspecified == 0 ? random_case(op, index, seed) : specified_case(op, index, seed);
}

/// One honest computation, decided.
struct Honest {
  Case c;
  const zoo::Style* style;
  Judgement judgement;
};

Judgement decide_honest(const Case& c, const zoo::Style& style, std::uint64_t style_seed,
                        const oracle::Knowledge& known = {}) {
  const auto run = [&](const Problem& problem) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = zoo::run(problem, style, style_seed);
    return outcome;
  };
  const Problem problem = make_problem(c);
  const Expectation expectation = expectation_of(problem);
  oracle::Answers answers{run(problem)};
  if (oracle::further_answer(problem, expectation, answers.outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = run(oracle::with_all_outputs(problem));
  return oracle::decide(problem, expectation, answers, known, {});
}

Honest honest_finding(Operator op, std::uint64_t index, std::uint64_t seed) {
  const auto styles = zoo::styles();
  Honest honest{honest_case(op, index, seed), &styles[index % styles.size()], {}};
  honest.judgement = decide_honest(honest.c, *honest.style, index);
  return honest;
}

Doubt doubt_of(const Judgement& judgement) {
  const auto count = [&](ElementClass c) { return judgement.elements[static_cast<std::size_t>(c)]; };
  const std::int64_t wide = count(ElementClass::Unresolved), after = count(ElementClass::Unverifiable),
                     unspecified = count(ElementClass::Unspecified);
  // Only single elements are too close to call if nearly all are verified, or would be.
  const std::int64_t verified = count(ElementClass::Exact) + count(ElementClass::Rounding);
  if (verified >= 9 * (wide + after + unspecified)) return Doubt::CloseCall;
  if (wide >= std::max(after, unspecified)) return Doubt::WideBound;
  return after >= unspecified ? Doubt::Overflow : Doubt::Unspecified;
}

class Collector {
 public:
  explicit Collector(std::int64_t total) : progress_("honest zoo", total) {}

  void add(Operator op, const Honest& honest) {
    const std::scoped_lock lock(mutex_);
    HonestRow& row = row_of(op, honest.c.type);
    const Judgement& judgement = honest.judgement;
    row.worst_ratio = std::max(row.worst_ratio, judgement.worst_ratio.value_or(0));
    if (judgement.verdict == Verdict::Conforms) {
      ++row.conforms;
    } else if (judgement.verdict == Verdict::Undecided) {
      ++row.undecided;
      const auto doubt = static_cast<std::size_t>(doubt_of(judgement));
      ++row.doubts[doubt];
      ++result_.regimes[std::string(name(honest.c.regime))][doubt];
      if (result_.left_open.size() < left_open_kept) {
        result_.left_open.push_back({to_text(honest.c), std::string(honest.style->name), sentence_of(judgement)});
      }
    } else {
      ++row.alarms;
      ++alarms_;
      if (result_.alarms.size() < alarms_kept) {
        result_.alarms.push_back({to_text(honest.c), std::string(honest.style->name),
                                  judgement.verdict.value_or(Verdict::Unreadable), sentence_of(judgement)});
      }
    }
    progress_.advance(std::to_string(alarms_) + " false alarms");
  }

  HonestCalibration take() {
    std::ranges::sort(result_.rows, {}, [](const HonestRow& row) { return std::pair(row.op, row.type); });
    std::ranges::sort(result_.alarms, {}, &FalseAlarm::case_line);
    std::ranges::sort(result_.left_open, {}, &LeftOpen::case_line);
    return std::move(result_);
  }

 private:
  HonestRow& row_of(Operator op, ElementType type) {
    for (HonestRow& row : result_.rows) {
      if (row.op == op && row.type == type) return row;
    }
    return result_.rows.emplace_back(HonestRow{op, type});
  }

  std::mutex mutex_;
  campaign::Progress progress_;
  HonestCalibration result_;
  std::int64_t alarms_ = 0;
};

}  // namespace

Judgement judge_honest(const Case& c, std::string_view style, std::uint64_t style_seed) {
  const auto styles = zoo::styles();
  const auto found = std::ranges::find(styles, style, &zoo::Style::name);
  if (found == styles.end()) throw std::invalid_argument("no style of the zoo is called " + std::string(style));
  return decide_honest(c, *found, style_seed);
}

Judgement judge_declared(const Case& c, const zoo::Style& style, std::uint64_t style_seed, ContractId declared) {
  return decide_honest(c, style, style_seed, {declared});
}

HonestCalibration calibrate_honest(std::int64_t findings_per_operator, int jobs, std::uint64_t seed) {
  const std::int64_t total = findings_per_operator * static_cast<std::int64_t>(all_operators().size());
  Collector collector(total);
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(jobs));
    for (int k = 0; k < jobs; ++k) {
      threads.push_back(campaign::start_thread("to calibrate", [&] {
        try {
          for (std::int64_t index; (index = next.fetch_add(1)) < total;) {
            const auto number = static_cast<std::uint64_t>(index);
            const Operator op = all_operators()[number % all_operators().size()];
            collector.add(op, honest_finding(op, number / all_operators().size(), seed));
          }
        } catch (...) {  // carried to the caller's thread, and thrown again there
          const std::scoped_lock lock(mutex);
          failure = std::current_exception();
          next = total;
        }
      }));
    }
  }
  if (failure) std::rethrow_exception(failure);
  return collector.take();
}

}  // namespace cellproof::lab
