#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "reports/json_values.hpp"
#include "reports/render.hpp"
#include "reports/shown_causes.hpp"
#include "reports/testing/sample_findings.hpp"
#include "spec/readings.hpp"
#include "spec/testing/approval.hpp"
#include "spec/utf8.hpp"

namespace cellproof::reports {
namespace {

using Strings = std::set<std::string>;

/// The complaints that SARIF 2.1.0 (OASIS, sections in brackets) has against a log: what its schema requires of the
/// objects that we write, and what its text requires besides.
class SarifRules {
 public:
  Strings complaints_about(const std::string& text) {
    const Json log = Json::parse(text);
    only(log, {"$schema", "version", "runs"}, {"version", "runs"}, "log");  // 3.13
    expect(log["version"] == "2.1.0", "3.13.2 version");
    for (const Json& run : log["runs"]) check_run(run);
    return std::move(complaints_);
  }

 private:
  void expect(bool holds, const std::string& rule) {
    if (!holds) complaints_.insert(rule);
  }

  /// The schema allows no other properties.
  void only(const Json& object, const Strings& allowed, const Strings& required, const std::string& what) {
    for (const auto& [key, value] : object.items()) expect(allowed.contains(key), what + " has " + key);
    for (const std::string& key : required) expect(object.contains(key), what + " lacks " + key);
  }

  /// 3.11.5, 3.11.6: single braces and brackets mean something.
  void check_message(const Json& message) {
    only(message, {"text"}, {"text"}, "message");
    static const std::regex plain(R"(([^{}\[\]\\]|\{\{|\}\}|\\[\[\]\\])*)");
    const std::string text = message["text"];
    expect(!text.empty() && std::regex_match(text, plain), "3.11.5 message: " + text);
  }

  void check_rules(const Json& rules) {
    Strings ids;
    for (const Json& rule : rules) {  // 3.49
      only(rule, {"id", "shortDescription", "help", "helpUri"}, {"id", "shortDescription"}, "rule");
      expect(std::regex_match(std::string(rule["id"]), std::regex("[a-z0-9-]+")), "3.49.3 id");
      expect(ids.insert(rule["id"]).second, "3.19.23 two rules with one id");
      check_message(rule["shortDescription"]);
      if (rule.contains("help")) check_message(rule["help"]);
      if (rule.contains("helpUri"))
        expect(std::string(rule["helpUri"]).starts_with("https://"), "3.49.12 helpUri is absolute");
    }
  }

  void check_run(const Json& run) {
    only(run, {"tool", "automationDetails", "invocations", "columnKind", "results"}, {"tool", "results"}, "run");
    const Json& driver = run["tool"]["driver"];
    only(run["tool"], {"driver"}, {"driver"}, "tool");
    only(driver, {"name", "version", "rules"}, {"name"}, "driver");
    expect(run["columnKind"] == "unicodeCodePoints" || run["columnKind"] == "utf16CodeUnits", "3.14.17 columnKind");
    check_rules(driver["rules"]);
    for (const Json& invocation : run["invocations"]) {
      only(invocation, {"commandLine", "executionSuccessful", "toolExecutionNotifications"}, {"executionSuccessful"},
           "invocation");
      for (const Json& each : invocation["toolExecutionNotifications"]) check_message(each["message"]);
    }
    Strings fingerprints;
    for (const Json& result : run["results"]) {
      check_result(result, driver["rules"]);
      expect(fingerprints.insert(result["partialFingerprints"].dump()).second, "two results with one fingerprint");
    }
  }

  void check_result(const Json& result, const Json& rules) {
    only(result,
         {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties", "baselineState",
          "suppressions"},
         {"message", "ruleId"}, "result");
    check_message(result["message"]);
    expect(Strings{"none", "note", "warning", "error"}.contains(result["level"]), "3.27.10 level");
    const auto index = result["ruleIndex"].get<std::size_t>();
    expect(index < rules.size() && rules[index]["id"] == result["ruleId"], "3.27.6 ruleIndex");
    for (const auto& [key, value] : result["partialFingerprints"].items())
      expect(std::regex_match(key, std::regex("[A-Za-z]+/v[0-9]+")) && value.is_string(), "3.27.17 fingerprint");
    expect(result["locations"].size() == 1, "3.27.12 locations");
    for (const Json& location : result["locations"]) check_location(location);
    if (result.contains("baselineState"))
      expect(Strings{"new", "unchanged", "updated", "absent"}.contains(result["baselineState"]), "3.27.24 state");
    for (const Json& each : result.value("suppressions", Json::array())) {
      only(each, {"kind", "justification"}, {"kind"}, "suppression");
      expect(Strings{"inSource", "external"}.contains(each["kind"]), "3.35.2 kind");
    }
  }

  void check_location(const Json& location) {
    const Json& place = location["physicalLocation"];
    const std::string uri = place["artifactLocation"]["uri"];
    // 3.10.1: a URI reference of RFC 3986; ours are relative.
    expect(std::regex_match(uri, std::regex("[A-Za-z0-9._~/-]+")), "3.10.1 uri " + uri);
    expect(place["region"]["startLine"].get<int>() >= 1, "3.30.5 startLine");
    for (const Json& logical : location["logicalLocations"])
      only(logical, {"name", "fullyQualifiedName", "kind"}, {}, "logicalLocation");
  }

  Strings complaints_;
};

Json run_in(const std::string& sarif) {
  return Json::parse(sarif)["runs"][0];
}

TEST(Sarif, IsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/sample.sarif", render_sarif(sample_report())), "");
}

TEST(Sarif, KeepsToTheStandard) {
  for (const ReportData& data : {sample_report(), hostile_report(), ReportData{}}) {
    EXPECT_THAT(SarifRules().complaints_about(render_sarif(data)), testing::IsEmpty());
    EXPECT_TRUE(is_utf8(render_sarif(data)));
  }
}

TEST(Sarif, RulesOfTheStandardFindWhatBreaksThem) {
  Json log = Json::parse(render_sarif(sample_report()));
  Json& result = log["runs"][0]["results"][0];
  result["level"] = "fatal";
  result["ruleIndex"] = 1000;
  result["message"]["text"] = "[a](b)";
  result["colour"] = "red";
  EXPECT_EQ(SarifRules().complaints_about(log.dump()).size(), 4U);
}

TEST(Sarif, HasAResultForEachCauseAndARuleForEachClause) {
  const ReportData data = sample_report();
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  const Json run = run_in(render_sarif(data));
  ASSERT_EQ(run["results"].size(), causes.size());
  Strings clauses;
  for (std::size_t k = 0; k < causes.size(); ++k) {
    const Json& result = run["results"][k];
    EXPECT_EQ(result["partialFingerprints"]["cellproofCause/v1"], stable_name(causes[k].engine, causes[k].cause));
    EXPECT_EQ(result["properties"]["case"], causes[k].cause.case_line);
    EXPECT_EQ(result["level"] == "note", !held_against_engine(causes[k].kind));
    clauses.insert(causes[k].cause.clause);
  }
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), clauses.size());
  EXPECT_GT(clauses.size(), 3U);
}

/// Counts, order and case numbers are not of the fingerprint.
TEST(Sarif, FingerprintsStayFromRunToRun) {
  const auto fingerprints = [](const ReportData& data) {
    Strings all;
    const Json run = run_in(render_sarif(data));
    for (const Json& result : run["results"])
      if (result["properties"]["cause"] != "") all.insert(result["partialFingerprints"].dump());
    return all;
  };
  ReportData other = sample_report();
  std::ranges::reverse(other.findings);
  const auto some = std::ranges::find_if(other.findings, [](const Finding& f) { return f.pass; });
  other.findings.erase(some);
  EXPECT_EQ(fingerprints(other), fingerprints(sample_report()));
}

TEST(Sarif, ShowsWhatIsNewKnownFixedAndAccepted) {
  ReportData data = sample_report();
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  const auto recorded = [&](std::size_t skip) {
    for (const ShownCause& shown : causes)
      if (shown.is_recorded && held_against_engine(shown.kind) && skip-- == 0)
        return std::pair(shown.engine, shown.cause.id);
    return std::pair<std::string, std::string>();
  };
  data.changes.now[recorded(0)] = {Since::New, 0};
  data.changes.now[recorded(1)] = {Since::Known, 3};
  Cause gone;
  gone.id = "fault:clip-ignored";
  gone.title = "does not clip";
  gone.operators = {"RNN"};
  data.changes.fixed = {{"npu", gone}};
  data.waived_causes[recorded(1)] = {"2027-01-31", "", "mended in 2.0"};
  const std::string text = render_sarif(data);
  EXPECT_THAT(SarifRules().complaints_about(text), testing::IsEmpty());
  std::map<std::string, int> states;
  int accepted = 0;
  const Json run = run_in(text);
  for (const Json& result : run["results"]) {
    ++states[result.value("baselineState", "")];
    if (!result.contains("suppressions")) continue;
    ++accepted;
    EXPECT_EQ(result["suppressions"][0]["justification"], "mended in 2.0 (until 2027-01-31)");
  }
  EXPECT_EQ(states["new"], 1);
  EXPECT_EQ(states["unchanged"], 1);
  EXPECT_EQ(states["absent"], 1);
  EXPECT_EQ(accepted, 1);
}

TEST(Sarif, NamesAListedClauseByItsId) {
  ReportData data = sample_report();
  Cause gone;
  gone.clause = info(Clause::PaddingOfY).text;
  data.changes.fixed = {{"npu", gone}};
  EXPECT_EQ(run_in(render_sarif(data))["results"].back()["ruleId"], std::string(info(Clause::PaddingOfY).id));
}

TEST(Sarif, SaysWhoDidNotRun) {
  ReportData absent;
  absent.engines = {{"onnxruntime", {{EngineNote::Absent, "the wheel is not installed"}}}};
  EXPECT_EQ(run_in(render_sarif(absent))["invocations"][0]["executionSuccessful"], true);
  absent.engines.push_back({"npu", {{EngineNote::CannotStart, "no [device]"}}});
  const Json invocation = run_in(render_sarif(absent))["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][1]["message"]["text"], "npu: cannot start: no \\[device\\]");
}

}  // namespace
}  // namespace cellproof::reports
