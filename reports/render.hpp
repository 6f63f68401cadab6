#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/cause_changes.hpp"
#include "reports/store.hpp"
#include "spec/coverage.hpp"
#include "spec/finding.hpp"

namespace cellproof::reports {

/// Why findings of one signature do not fail a run: a waiver has a date and an address; what a base store has failed in
/// already has neither.
struct Waived {
  std::string until, url, why;
};

/// All that a renderer may look at: records, nothing computed.
struct ReportData {
  std::string title;
  std::vector<std::pair<std::string, RunMetadata>> runs;     ///< by store; "" where there is one
  std::vector<std::pair<std::string, EngineNotes>> engines;  ///< by name
  std::vector<Finding> findings;
  std::map<std::string, Waived> waived;        ///< by signature
  std::vector<std::string> waiver_complaints;  ///< what is wrong with the waivers; each fails the run
  std::vector<Coverage> coverage;              ///< by engine and operator, where it was counted
  /// Engine, suite and number of valid cases that are refused now, and that a base store ran without a fault; each
  /// fails the run.
  std::set<std::tuple<std::string, std::string, std::int64_t>> newly_refused;
  /// By engine, suite and number: whatever the signature is.
  std::map<std::tuple<std::string, std::string, std::int64_t>, Waived> waived_findings = {};
  std::map<std::pair<std::string, std::string>, Waived> waived_causes = {};  ///< by engine and id
  CauseChanges changes = {};                                                 ///< since a base of earlier runs
  std::vector<std::string> damage{};  ///< rows of the stores that are left out: Store::damage()
};

/// Finds what keeps a failing finding from failing the run, by its signature or by itself; null where nothing does.
const Waived* waived_for(const ReportData& data, const Finding& finding);

ReportData report_data(const Store& store);

/// One static page, no network, light and dark, narrow and wide.
std::string render_html(const ReportData& data);
/// JUnit XML: one test suite per engine x suite; a failing gate is a failure, a gap or an absent engine a skip with its
/// reason.
std::string render_junit(const ReportData& data);
/// One JSON object per finding and line.
std::string render_json_lines(const ReportData& data);
/// The same in parts, since it is as long as the store.
using Sink = std::function<void(std::string_view)>;
void write_json_lines(const ReportData& data, const Sink& out);
/// The coverage of each engine and operator as a JSON array.
std::string render_coverage(const ReportData& data);
/// The causes of each engine's failures as a JSON array, one object a line.
std::string render_causes(const ReportData& data);
/// Counts and causes by engine as Markdown, at most a screenful: for the summary of a CI job.
std::string render_markdown(const ReportData& data);
/// SARIF 2.1.0: a rule for each clause, a result for each cause.
std::string render_sarif(const ReportData& data);
/// The capabilities of each engine in each operator, by single changes from a plain case, as a JSON array.
std::string render_capabilities(const ReportData& data);

struct SummaryOptions {
  std::size_t width = 160;  ///< of a line, in characters
  std::size_t lines = 17;   ///< at most, where there is a line for each engine and remark
  bool is_verbose = false;  ///< all causes with their groups, the fingerprint and the coverage
};
/// Renders what `run` prints at its end: the counts of each engine and its causes, the worst first.
std::string render_summary(const ReportData& data, const SummaryOptions& options = {});
/// Clauses by engines: which reading each engine's outputs prove. "" where no finding carries evidence.
std::string render_fingerprint(const ReportData& data);

}  // namespace cellproof::reports
