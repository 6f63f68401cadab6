#include "oracle/judge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "oracle/course.hpp"
#include "oracle/explain.hpp"
#include "oracle/fault.hpp"
#include "oracle/structure.hpp"
#include "oracle/tally.hpp"
#include "oracle/try_hypothesis.hpp"

namespace cellproof::oracle {
namespace {

/// Share of value elements that must be EXACT or ROUNDING before a case conforms.
constexpr double verified_share = 0.9;

Judgement broken_judgement(const Problem& problem, const StructuralViolation& v, ContractId contract) {
  Judgement judgement;
  judgement.verdict = Verdict::Diverges;
  judgement.contract = contract;
  judgement.kind = v.kind;
  judgement.message = v.message;
  judgement.first = FirstViolation{};
  judgement.first->output = output_names(problem.version.op)[v.output];
  judgement.first->expected = v.message;
  return judgement;
}

std::string too_little(const Tally& tally) {
  std::string why;
  const auto add = [&](ElementClass c, const char* what) {
    if (const std::int64_t n = tally.count(c)) why += fmt::format("{}{} {}", why.empty() ? "" : ", ", n, what);
  };
  add(ElementClass::Unresolved, "with a bound too wide to say anything");
  add(ElementClass::Unverifiable, "after a permitted overflow or NaN");
  add(ElementClass::Unspecified, "that no reading fixes");
  return fmt::format("too little verified: of {} elements, {}", tally.total(), why);
}

std::string conforming_sentence(const Tally& tally) {
  if (tally.total() == 0) return "number, types and shapes of the outputs are right; there are no values to judge";
  const std::int64_t verified = tally.count(ElementClass::Exact) + tally.count(ElementClass::Rounding);
  return fmt::format("{} of {} elements verified", verified, tally.total());
}

Verdict verdict_of(const Tally& tally) {
  if (tally.first_divergent) return Verdict::Diverges;
  if (tally.first_suspect) return Verdict::Suspect;
  return tally.verified() >= verified_share ? Verdict::Conforms : Verdict::Undecided;
}

Judgement judge_view(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                     const Hypothesis& hypothesis, const Departures& departures) {
  if (const auto broken = broken_outputs(problem, outputs))
    return broken_judgement(problem, *broken, hypothesis.contract);

  const Arithmetic arithmetic = arithmetic_of(hypothesis.contract, value_type(problem));
  const Task task = task_of(problem, outputs, hypothesis.readings, arithmetic, departures);
  Course course = run_course(task, Tier::Running, false);
  if (course.any_beyond) mark_suspect(course, run_course(task, Tier::Certified, false));
  mark_unresolved(task, course);
  const std::vector<StructuralViolation> broken = broken_elements(task);
  const Tally tally = tally_of(task, course, broken);

  Judgement judgement;
  judgement.contract = hypothesis.contract;
  judgement.verdict = verdict_of(tally);
  judgement.elements = tally.elements;
  if (!tally.infinite_ratio) judgement.worst_ratio = tally.worst_ratio;
  judgement.max_ulp = tally.max_ulp;
  if (judgement.verdict == Verdict::Conforms) {
    judgement.message = conforming_sentence(tally);
    return judgement;
  }
  judgement.series = series_of(task, course);
  if (judgement.verdict == Verdict::Undecided) {
    judgement.message = too_little(tally);
    return judgement;
  }
  const Place place = tally.first_divergent ? *tally.first_divergent : *tally.first_suspect;
  judgement.kind = kind_at(broken, place);
  judgement.first = first_violation(task, course, broken, place);
  judgement.message = sentence(task, *judgement.first, judgement.kind);
  if (judgement.verdict == Verdict::Suspect) {
    judgement.message += "; beyond what usual orders of summation lead to, though a worst case admits it";
  }
  return judgement;
}

/// The view of a fault; nullopt where the fault cannot have made these outputs.
std::optional<View> seen_through(const Fault& fault, const Problem& problem,
                                 const std::vector<std::optional<Tensor>>& outputs) {
  if (!fault.applies(problem)) return std::nullopt;
  std::optional<View> view = View{problem, outputs, {}};
  if (!fault.put_on(*view)) view.reset();
  return view;
}

/// Is there a structural violation, or an element beyond its certified bound?
bool beyond_proof(const Task& task) {
  return !broken_elements(task).empty() || run_course(task, Tier::Certified, true).any_beyond;
}

Verdict verdict_of_view(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                        const Hypothesis& hypothesis, const Departures& departures) {
  const Arithmetic arithmetic = arithmetic_of(hypothesis.contract, value_type(problem));
  const Task task = task_of(problem, outputs, hypothesis.readings, arithmetic, departures);
  if (beyond_proof(task)) return Verdict::Diverges;  // by far the most usual answer, so it comes first
  Course course = run_course(task, Tier::Running, true);
  if (course.any_beyond) return Verdict::Suspect;
  mark_unresolved(task, course);
  return verdict_of(tally_of(task, course, {}));
}

}  // namespace

Judgement judge(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                const Hypothesis& hypothesis) {
  if (!hypothesis.fault) return judge_view(problem, outputs, hypothesis, {});
  const auto broken = broken_outputs(problem, outputs);
  if (broken) return broken_judgement(problem, *broken, hypothesis.contract);
  const auto view = seen_through(*hypothesis.fault, problem, outputs);
  return view ? judge_view(view->problem, view->outputs, hypothesis, view->departures)
              : judge_view(problem, outputs, hypothesis, {});
}

Verdict verdict_under(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                      const Hypothesis& hypothesis) {
  if (broken_outputs(problem, outputs)) return Verdict::Diverges;
  if (!hypothesis.fault) return verdict_of_view(problem, outputs, hypothesis, {});
  const auto view = seen_through(*hypothesis.fault, problem, outputs);
  return view ? verdict_of_view(view->problem, view->outputs, hypothesis, view->departures) : Verdict::Diverges;
}

bool excluded_under(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, const Readings& readings,
                    const Arithmetic& arithmetic) {
  return broken_outputs(problem, outputs) || beyond_proof(task_of(problem, outputs, readings, arithmetic));
}

}  // namespace cellproof::oracle
