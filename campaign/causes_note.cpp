#include "campaign/causes_note.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "causes/engine_model.hpp"

#include "campaign/nearest_pass.hpp"
#include "campaign/proved_readings.hpp"
#include "campaign/reduced_case.hpp"
#include "reports/cause_json.hpp"

namespace cellproof::campaign {
namespace {

bool holds(const Cause& cause, const Finding& finding) {
  const auto suite = cause.where.find(finding.suite);
  return suite != cause.where.end() && std::ranges::binary_search(suite->second, finding.number);
}

std::optional<Outputs> outputs_of(Outcome outcome) {
  const bool is_answer = outcome.kind == OutcomeKind::Ran && outcome.misconduct.empty();
  return is_answer ? std::optional(std::move(outcome.outputs)) : std::nullopt;
}

void name_issues(const std::vector<Finding>& findings, const std::vector<Cause>& causes,
                 const std::filesystem::path& report) {
  for (const Finding& finding : findings) {
    if (!finding.reduction || finding.reduction->folder.empty()) continue;
    const auto cause = std::ranges::find_if(causes, [&](const Cause& each) { return holds(each, finding); });
    if (cause != causes.end()) name_issue(finding, *cause, report / finding.reduction->folder);
  }
}

}  // namespace

std::vector<Cause> causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept,
                             const EngineUnderTest& engine, const std::function<bool()>& is_over,
                             const engines::Probe& ask) {
  const std::vector<causes::Answered> answered =
      kept.answered(findings, engine.declared, proved_readings(findings, engine.name));
  causes::AskEngine ask_once;
  if (ask) ask_once = [&](const Problem& problem) { return outputs_of(ask(problem)); };
  std::vector<Cause> causes = causes::model_of(answered, {.is_over = is_over}, ask_once).causes;
  for (Cause& cause : causes) cause.passing = nearest_pass(cause, findings);
  return causes;
}

std::string note_causes(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                        const std::filesystem::path& report, const std::function<bool()>& is_over,
                        const engines::Probe& ask) {
  const std::vector<Cause> causes = causes_of(findings, kept, engine, is_over, ask);
  name_issues(findings, causes, report);
  return causes.empty() ? "" : reports::to_json(engine.name, causes);
}

}  // namespace cellproof::campaign
