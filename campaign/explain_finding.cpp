#include "campaign/explain_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/faults/every_fault.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"
#include "spec/utf8.hpp"

namespace cellproof::campaign {
namespace {

std::string first_violation(const Judgement& judgement) {
  const FirstViolation& first = *judgement.first;
  std::string text = fmt::format("  first   {}", place_name(first));
  if (first.step) text += fmt::format(", step {}", *first.step);
  if (first.direction) text += fmt::format(", {}", name(*first.direction));
  text += fmt::format(": {}\n", visible_text(both_values(judgement, first)));
  if (first.error && first.bound)
    text += fmt::format("          error {:.3g}, bound {:.3g}\n", *first.error, *first.bound);
  for (const GateValue& gate : first.gates)
    text += fmt::format("          {:<4} {}\n", visible_text(gate.name), value_text(gate));
  return text;
}

}  // namespace

std::string explain_finding(const Finding& finding) {
  const Judgement& judgement = finding.judgement;
  std::string text = fmt::format("{} {}: {}", visible_text(finding.engine), visible_text(finding.engine_version),
                                 result_name(finding));
  text += finding.pass ? "\n" : "  (fails the gate)\n";
  text += fmt::format("  case    {}\n", visible_text(finding.case_line));
  if (!finding.law.empty()) text += fmt::format("  law     {}\n", visible_text(finding.law));
  if (const std::string sentence = sentence_of(judgement); !sentence.empty())
    text += fmt::format("  {}\n", visible_text(sentence));
  if (finding.flaky)
    text += fmt::format("  flaky   {}\n", visible_text(both_outcomes(finding)));
  else if (!finding.outcome_message.empty())
    text += fmt::format("  engine  {}\n", visible_text(finding.outcome_message));
  if (!judgement.readings.are_default())
    text += fmt::format("  reading {}\n", fmt::join(judgement.readings.differences(), ", "));
  if (judgement.verdict == Verdict::Precision) text += fmt::format("  contract {}\n", name(judgement.contract));
  for (const std::string& id : judgement.faults) {
    const oracle::Fault* fault = oracle::fault_named(id);
    text += fmt::format("  behaves like {}{}\n", visible_text(id), fault ? fmt::format(": {}", fault->what) : "");
  }
  // The sentence above has said all that there is of an output as a whole.
  if (judgement.first && !judgement.first->index.empty()) text += first_violation(judgement);
  std::string counts;
  for (int c = 0; c < element_class_count; ++c) {
    const std::int64_t count = judgement.elements[static_cast<std::size_t>(c)];
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, name(ElementClass(c)));
  }
  if (!counts.empty()) text += fmt::format("  elements {}\n", counts);
  if (judgement.worst_ratio) text += fmt::format("  worst error / bound {:.3g}\n", *judgement.worst_ratio);
  if (judgement.bits > 0)
    text += fmt::format("  decided with        {}\n",
                        judgement.bits == 53 ? "double arithmetic" : fmt::format("{} bits", judgement.bits));
  if (judgement.max_ulp)
    text += fmt::format("  largest distance    {:g} ULP from the rounded one-step value\n", *judgement.max_ulp);
  return text;
}

}  // namespace cellproof::campaign
