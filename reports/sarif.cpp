#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "reports/json_values.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"
#include "reports/shown_causes.hpp"
#include "reports/tally.hpp"
#include "spec/content_hash.hpp"
#include "spec/readings.hpp"
#include "spec/specification_page.hpp"

namespace cellproof::reports {
namespace {

constexpr std::string_view no_clause = "no-clause";
constexpr std::size_t words_of_an_id = 5;

/// Text of a message, in which brackets would be links and braces places to fill.
std::string sarif_text(std::string_view text) {
  std::string out;
  for (const char c : visible_text(text, true)) {
    if (c == '{' || c == '}') out += c;
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

Json message(std::string_view text) {
  return {{"text", sarif_text(text)}};
}

/// Id of a clause that the table of spec/ lists; of any other one its first words and a hash of all.
std::string rule_id(const std::string& clause) {
  if (clause.empty()) return std::string(no_clause);
  const auto listed = std::ranges::find(clauses(), clause, &ClauseInfo::text);
  if (listed != clauses().end()) return std::string(listed->id);
  std::string id;
  std::size_t words = 0;
  for (const char c : clause) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!id.empty() && id.back() != '-') {
      if (++words == words_of_an_id) break;
      id += '-';
    }
  }
  return fmt::format("{}-{}", id, content_hash(clause).substr(0, 6));
}

/// One clause: its words and the pages of the operators that something here breaks it in.
struct Rule {
  std::string text;
  std::vector<std::string> pages;
};

class Rules {
 public:
  void add(const Cause& cause) {
    Rule& rule = rules_[rule_id(cause.clause)];
    rule.text = cause.clause.empty() ? "The specification, in a place that is not known." : cause.clause;
    for (const Operator op : all_operators()) {
      if (std::ranges::find(cause.operators, name(op)) == cause.operators.end()) continue;
      std::string page = specification_page(op);
      if (std::ranges::find(rule.pages, page) == rule.pages.end()) rule.pages.push_back(std::move(page));
    }
  }

  std::ptrdiff_t index_of(const std::string& id) const { return std::distance(rules_.begin(), rules_.find(id)); }

  Json all() const {
    Json rules = Json::array();
    for (const auto& [id, rule] : rules_) {
      Json json{{"id", id}, {"shortDescription", message(rule.text)}};
      if (!rule.pages.empty()) {
        json["helpUri"] = rule.pages.front();
        json["help"] = message(fmt::format("{}\n{}", rule.text, fmt::join(rule.pages, "\n")));
      }
      rules.push_back(std::move(json));
    }
    return rules;
  }

 private:
  std::map<std::string, Rule> rules_;
};

/// A reading is no fault. A crash needs no explanation to be one; of wrong values only what is proved is certain in its
/// cause.
std::string_view level_of(FindingKind kind, CauseStatus status) {
  if (!held_against_engine(kind)) return "note";
  if (kind == FindingKind::Crash || kind == FindingKind::Hang || kind == FindingKind::OutOfMemory) return "error";
  return status == CauseStatus::Proved ? "error" : "warning";
}

std::string_view state_of(Since since) {
  switch (since) {
    case Since::New:
      return "new";
    case Since::Known:
      return "unchanged";
    case Since::Fixed:
      break;
  }
  return "absent";
}

/// A file of the report that says more: results want a place in a file, and a runtime's defect has none of ours.
Json location_of(const std::string& folder, const std::string& engine, const Cause& cause) {
  Json logical = Json::array();
  for (const std::string& op : cause.operators)
    logical.push_back({{"name", op}, {"fullyQualifiedName", fmt::format("{}/{}", engine, op)}, {"kind", "function"}});
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", folder.empty() ? "index.html" : folder + "/ISSUE.md"}}},
            {"region", {{"startLine", 1}}}}},
          {"logicalLocations", std::move(logical)}};
}

Json result_of(const std::string& engine, const Cause& cause, std::string_view level, const std::string& folder,
               const Rules& rules) {
  const std::string rule = rule_id(cause.clause);
  std::string text = fmt::format("{}: {} ({}, {})", engine, cause.title, operators_of(cause),
                                 counted(static_cast<std::size_t>(cause.cases), "case"));
  if (!cause.case_line.empty()) text += fmt::format("\nSmallest case: {}", cause.case_line);
  return {{"ruleId", rule},
          {"ruleIndex", rules.index_of(rule)},
          {"level", level},
          {"message", message(text)},
          {"locations", Json::array({location_of(folder, engine, cause)})},
          {"partialFingerprints", {{"cellproofCause/v1", stable_name(engine, cause)}}},
          {"properties",
           {{"engine", engine}, {"cause", cause.id}, {"status", name(cause.status)}, {"case", cause.case_line}}}};
}

std::string folder_of(const ShownCause& shown, const std::vector<Group>& groups) {
  for (const std::size_t place : shown.groups)
    if (const auto& reduction = groups[place].representative->reduction; reduction && !reduction->folder.empty())
      return reduction->folder;
  return "";
}

Json suppressions_of(const Waived& waived) {
  const std::string until = waived.until.empty() ? "" : fmt::format(" (until {})", waived.until);
  return Json::array({{{"kind", "external"}, {"justification", waived.why + until}}});
}

/// Engines that did not run: without them a run of nobody would look like one without results.
Json notifications_of(const ReportData& data) {
  Json notifications = Json::array();
  for (const auto& [engine, notes] : data.engines) {
    for (const EngineNote note : {EngineNote::Absent, EngineNote::CannotStart, EngineNote::CannotStartAgain}) {
      const std::string words = words_of(notes, note);
      if (words.empty()) continue;
      notifications.push_back({{"level", note == EngineNote::Absent ? "warning" : "error"},
                               {"message", message(fmt::format("{}: {}: {}", engine, name(note), words))}});
    }
  }
  return notifications;
}

Json run_of(const ReportData& data) {
  const std::vector<Group> groups = groups_of(data);
  const std::vector<ShownCause> causes = shown_causes(data, groups);
  const RunMetadata metadata = data.runs.empty() ? RunMetadata{} : data.runs.front().second;
  Rules rules;
  for (const ShownCause& shown : causes) rules.add(shown.cause);
  for (const auto& [engine, cause] : data.changes.fixed) rules.add(cause);
  Json results = Json::array();
  for (const ShownCause& shown : causes) {
    Json result =
        result_of(shown.engine, shown.cause, level_of(shown.kind, shown.cause.status), folder_of(shown, groups), rules);
    if (shown.since) result["baselineState"] = state_of(*shown.since);
    if (shown.waived != nullptr) result["suppressions"] = suppressions_of(*shown.waived);
    results.push_back(std::move(result));
  }
  for (const auto& [engine, cause] : data.changes.fixed) {
    Json result = result_of(engine, cause, "none", "", rules);
    result["baselineState"] = state_of(Since::Fixed);
    results.push_back(std::move(result));
  }
  const Json notifications = notifications_of(data);
  const bool failed = std::ranges::any_of(notifications, [](const Json& each) { return each["level"] == "error"; });
  return {{"tool", {{"driver", {{"name", "Cellproof"}, {"version", metadata.cellproof}, {"rules", rules.all()}}}}},
          {"automationDetails", {{"id", fmt::format("cellproof/{}/", metadata.suites)}}},
          {"invocations", Json::array({{{"commandLine", metadata.command},
                                        {"executionSuccessful", !failed && metadata.ended_early.empty()},
                                        {"toolExecutionNotifications", notifications}}})},
          {"columnKind", "unicodeCodePoints"},
          {"results", std::move(results)}};
}

}  // namespace

std::string render_sarif(const ReportData& data) {
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run_of(data)})}};
  return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cellproof::reports
