#include "reports/render.hpp"

namespace cellproof::reports {

ReportData report_data(const Store& store) {
  ReportData data;
  data.damage = store.damage();
  data.runs = {{"", store.metadata()}};
  data.engines = store.engine_notes();
  data.findings = store.findings();
  data.title = data.runs.front().second.suites;
  return data;
}

const Waived* waived_for(const ReportData& data, const Finding& finding) {
  if (finding.pass || finding.outcome == OutcomeKind::HarnessError) return nullptr;
  if (const auto found = data.waived.find(finding.signature); found != data.waived.end()) return &found->second;
  const auto found = data.waived_findings.find({finding.engine, finding.suite, finding.number});
  return found == data.waived_findings.end() ? nullptr : &found->second;
}

}  // namespace cellproof::reports
