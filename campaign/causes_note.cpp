#include "campaign/causes_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "campaign/at_once.hpp"
#include "campaign/nearest_pass.hpp"
#include "campaign/proved_readings.hpp"
#include "campaign/reduced_case.hpp"
#include "reports/cause_json.hpp"
#include "reports/plain_text.hpp"

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

CausesSearch::CausesSearch(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                           std::function<bool()> is_over)
    : findings_(findings) {
  searching_ = std::async(std::launch::async | std::launch::deferred, [&, is_over = std::move(is_over)] {
    answered_ = kept.answered(findings, engine.declared, proved_readings(findings, engine.name));
    const auto on_threads = [](std::size_t parts, const std::function<void(std::size_t)>& work) {
      at_once("to look for causes", parts, work);
    };
    model_.emplace(answered_, causes::Bounds{.is_over = is_over, .at_once = on_threads});
    model_->search();
  });
}

FoundCauses CausesSearch::found(const engines::Probe& ask, const causes::ReduceCauses& reduce) {
  searching_.get();
  causes::AskEngine ask_once;
  if (ask) ask_once = [&](const Problem& problem) { return outputs_of(ask(problem)); };
  causes::EngineModel model = model_->model(ask_once, reduce);
  for (Cause& cause : model.causes) cause.passing = nearest_pass(cause, findings_);
  FoundCauses found{std::move(model.causes), ""};
  if (model.is_cut_short)
    found.cut_short = fmt::format("ended after {} judgements: causes may be missing, or likely only",
                                  reports::thousands(static_cast<std::size_t>(model.judgements)));
  return found;
}

FoundCauses causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over, const engines::Probe& ask) {
  return CausesSearch(findings, kept, engine, is_over).found(ask);
}

EngineNotes notes_on_causes(const FoundCauses& found, const std::vector<Finding>& findings,
                            const EngineUnderTest& engine, const std::filesystem::path& report) {
  name_issues(findings, found.causes, report);
  EngineNotes notes;
  if (!found.causes.empty())
    notes.emplace_back(EngineNote::Causes, reports::to_json(engine.name, found.causes, found.cut_short.empty()));
  if (!found.cut_short.empty()) notes.emplace_back(EngineNote::CausesCutShort, found.cut_short);
  return notes;
}

}  // namespace cellproof::campaign
