#include "campaign/waivers.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "campaign/exit_code.hpp"

namespace cellproof::campaign {

std::vector<oracle::Waiver> waivers_of(const std::string& file) {
  return file.empty() ? std::vector<oracle::Waiver>{} : oracle::read_waivers(file);
}

int apply_waivers(const std::vector<oracle::Waiver>& waivers, bool complete, reports::ReportData& data) {
  const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  oracle::WaiverResult result = oracle::apply_waivers(waivers, data.findings, today, complete);
  for (const auto& [signature, waiver] : result.accepted)
    data.waived[signature] = {oracle::date_text(waiver->expires), waiver->url, waiver->why};
  for (const auto& [id, waiver] : result.accepted_cases)
    data.waived_cases[id] = {oracle::date_text(waiver->expires), waiver->url, waiver->why};
  data.waiver_complaints = std::move(result.complaints);
  int failing = exit_code_of(data.findings, data.waived);
  const auto fails = [&](const Finding& f) { return !f.pass && reports::waived_for(data, f) == nullptr; };
  if (failing == 1 && std::ranges::none_of(data.findings, fails)) failing = 0;
  const auto in_trouble = [](const auto& engine) { return !start_trouble_of(engine.second).empty(); };
  const int code = with_failed_start(failing, std::ranges::any_of(data.engines, in_trouble));
  return code == 0 && !(data.waiver_complaints.empty() && data.newly_refused.empty()) ? 1 : code;
}

}  // namespace cellproof::campaign
