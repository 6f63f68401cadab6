#include "campaign/waivers.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "campaign/exit_code.hpp"
#include "reports/recorded_causes.hpp"

namespace cellproof::campaign {

std::vector<oracle::Waiver> waivers_of(const std::string& file) {
  return file.empty() ? std::vector<oracle::Waiver>{} : oracle::read_waivers(file);
}

namespace {

reports::Waived as_shown(const oracle::Waiver& waiver) {
  return {oracle::date_text(waiver.expires), waiver.url, waiver.why};
}

/// Waives the cases that are accepted by themselves, and those of which each cause is waived, or known in a base.
void waive_findings(const oracle::WaiverResult& result, reports::ReportData& data) {
  const reports::CausesOfCases causes(data);
  const auto is_accepted = [&](const Finding& finding, const std::string& id) {
    const reports::CauseChange* const change = data.changes.of(finding.engine, id);
    return result.accepted_causes.contains({finding.engine, id}) ||
           (change != nullptr && change->since == reports::Since::Known);
  };
  for (const Finding& finding : data.findings) {
    if (reports::waived_for(data, finding) != nullptr) continue;
    const std::tuple place(finding.engine, finding.suite, finding.number);
    if (const auto own = result.accepted_cases.find({finding.engine, finding.case_line});
        own != result.accepted_cases.end())
      data.waived_findings[place] = as_shown(*own->second);
    if (finding.pass || result.accepted_causes.empty()) continue;
    const std::vector<std::string> ids = causes.of(finding);
    const auto waived = std::ranges::find_if(ids, [&](const std::string& id) {
      return result.accepted_causes.contains({finding.engine, id});
    });
    if (waived != ids.end() &&
        std::ranges::all_of(ids, [&](const std::string& id) { return is_accepted(finding, id); }))
      data.waived_findings[place] = as_shown(*result.accepted_causes.at({finding.engine, *waived}));
  }
}

}  // namespace

int apply_waivers(const std::vector<oracle::Waiver>& waivers, bool complete, reports::ReportData& data) {
  const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  oracle::WaiverResult result =
      oracle::apply_waivers(waivers, data.findings, reports::recorded_causes(data), today, complete);
  for (const auto& [signature, waiver] : result.accepted) data.waived[signature] = as_shown(*waiver);
  for (const auto& [cause, waiver] : result.accepted_causes) data.waived_causes[cause] = as_shown(*waiver);
  waive_findings(result, data);
  data.waiver_complaints = std::move(result.complaints);
  int failing = exit_code_of(data.findings, data.waived);
  const auto fails = [&](const Finding& f) { return !f.pass && reports::waived_for(data, f) == nullptr; };
  if (failing == 1 && std::ranges::none_of(data.findings, fails)) failing = 0;
  const auto in_trouble = [](const auto& engine) { return !start_trouble_of(engine.second).empty(); };
  const int code = with_failed_start(failing, std::ranges::any_of(data.engines, in_trouble));
  return code == 0 && !(data.waiver_complaints.empty() && data.newly_refused.empty()) ? 1 : code;
}

}  // namespace cellproof::campaign
