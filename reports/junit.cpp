#include <fmt/format.h>

#include <map>
#include <tuple>

#include "reports/plain_text.hpp"
#include "reports/recorded_causes.hpp"
#include "reports/render.hpp"
#include "reports/shown_causes.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::reports {
namespace {

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

std::string name_of(const Finding& finding) {
  const std::string name = finding.case_name.empty() ? finding.case_hash : finding.case_name;
  return fmt::format("{:05} {} {}", finding.number, to_string(finding.version), name);
}

std::string message_of(const Finding& finding) {
  if (std::string sentence = sentence_of(finding.judgement); !sentence.empty()) return sentence;
  if (!finding.outcome_message.empty()) return finding.outcome_message;
  for (const Misconduct misconduct : finding.misconduct) return std::string(describe(misconduct));
  return std::string(result_name(finding));
}

std::string details_of(const Finding& finding, const std::string& argument, const std::vector<std::string>& causes) {
  std::string text = fmt::format("replay: {}\nsignature: {}\n", replay_command(finding, argument), finding.signature);
  for (const std::string& cause : causes)
    if (!cause.empty()) text += fmt::format("cause: {}\n", cause);
  for (const Misconduct misconduct : finding.misconduct) text += fmt::format("misconduct: {}\n", describe(misconduct));
  if (finding.flaky) text += fmt::format("flaky: {}\n", both_outcomes(finding));
  if (finding.signal != 0) text += fmt::format("signal: {}\n", finding.signal);
  if (const auto& first = finding.judgement.first)
    text += fmt::format("first violation: {}[{}]{}{}, {}\n", output_name(*first), fmt::join(first->index, ", "),
                        first->step ? fmt::format(" step {}", *first->step) : "",
                        first->direction ? " " + std::string(name(*first->direction)) : "",
                        both_values(finding.judgement, *first));
  return text;
}

std::string element(std::string_view tag, const Finding& finding, const std::string& argument,
                    const std::vector<std::string>& causes, std::string_view prefix = "") {
  return fmt::format("      <{0} type=\"{1}\" message=\"{4}{2}\">{3}</{0}>\n", tag, result_name(finding),
                     xml_escape(shortened(message_of(finding), 2000)),
                     xml_escape(details_of(finding, argument, causes)), prefix);
}

/// "known: WHY", "waived until DATE: WHY (URL)"
std::string accepted_text(const Waived& waived) {
  return fmt::format("{}: {}{}", waived.until.empty() ? "known" : "waived until " + waived.until, waived.why,
                     waived.url.empty() ? "" : fmt::format(" ({})", waived.url));
}

void add(Suite& suite, const Finding& finding, const std::string& argument, const std::vector<std::string>& causes,
         const Waived* waived, bool newly_refused) {
  const double seconds = finding.timings.prepare + finding.timings.run + finding.timings.release;
  const FindingKind kind = kind_of(finding);
  std::string inside;
  if (kind == FindingKind::HarnessError || kind == FindingKind::Unreadable) {
    ++suite.errors;
    inside = element("error", finding, argument, causes);
  } else if (newly_refused) {
    ++suite.failures;
    inside = element("failure", finding, argument, causes, "newly refused: ");
  } else if (kind == FindingKind::Gap || kind == FindingKind::Absent) {
    ++suite.skipped;
    inside = fmt::format("      <skipped message=\"{}: {}\"/>\n", result_name(finding),
                         xml_escape(shortened(message_of(finding), 2000)));
  } else if (!finding.pass && waived) {
    ++suite.skipped;
    inside = fmt::format("      <skipped message=\"{}: {}\"/>\n", xml_escape(accepted_text(*waived)),
                         xml_escape(shortened(message_of(finding), 2000)));
  } else if (!finding.pass) {
    ++suite.failures;
    inside = element("failure", finding, argument, causes, finding.flaky ? "flaky: " : "");
  }
  ++suite.tests;
  suite.seconds += seconds;
  suite.cases += fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.6f}\"{}",
                             xml_escape(finding.engine), xml_escape(finding.suite), xml_escape(name_of(finding)),
                             seconds, inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n");
}

/// One test for each cause: it fails where it is held against the engine and not accepted.
void add(Suite& suite, const ShownCause& shown, const std::vector<Group>& groups) {
  const Cause& cause = shown.cause;
  const Waived* const waived = shown.waived;
  const std::string message = fmt::format("{} ({}; {}, {})", cause.title, operators_of(cause),
                                          counted(static_cast<std::size_t>(cause.cases), "case"), name(cause.status));
  std::string inside;
  if (held_against_engine(shown.kind) && waived) {
    ++suite.skipped;
    inside =
        fmt::format("      <skipped message=\"{}: {}\"/>\n", xml_escape(accepted_text(*waived)), xml_escape(message));
  } else if (held_against_engine(shown.kind)) {
    ++suite.failures;
    const Group& group = groups[shown.groups.front()];
    Finding smallest = *group.representative;
    smallest.case_line = cause.case_line;
    inside = fmt::format("      <failure type=\"cause\" message=\"{}{}\">{}</failure>\n",
                         shown.since == Since::New ? "new: " : "", xml_escape(message),
                         xml_escape(fmt::format("replay: {}\n", replay_command(smallest, group.engine_argument))));
  }
  ++suite.tests;
  suite.cases += fmt::format("    <testcase classname=\"{}.causes\" name=\"{}\" time=\"0\"{}", xml_escape(shown.engine),
                             xml_escape(cause.id.empty() ? operators_of(cause) + ": " + cause.title : cause.id),
                             inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n");
}

/// A cause that the base had is a test that passes.
void add_fixed(Suite& suite, const std::string& engine, const Cause& cause) {
  ++suite.tests;
  suite.cases += fmt::format(
      "    <testcase classname=\"{}.causes\" name=\"{}\" time=\"0\">\n      <system-out>fixed: {}</system-out>\n"
      "    </testcase>\n",
      xml_escape(engine), xml_escape(cause.id), xml_escape(cause.title));
}

/// An engine that could not run has no findings; it must not vanish from the table for that.
void add_absent(std::map<std::pair<std::string, std::string>, Suite>& suites, const std::string& engine,
                const std::string& why) {
  const auto found = suites.lower_bound({engine, ""});
  if (found != suites.end() && found->first.first == engine) return;
  Suite& suite = suites[{engine, "engine"}];
  suite.tests = suite.skipped = 1;
  suite.cases = fmt::format(
      "    <testcase classname=\"{}\" name=\"present\" time=\"0\">\n"
      "      <skipped message=\"ENGINE_ABSENT: {}\"/>\n    </testcase>\n",
      xml_escape(engine), xml_escape(why));
}

/// An engine that does not start is an error, whatever cases it has run before.
void add_start_trouble(std::map<std::pair<std::string, std::string>, Suite>& suites, const std::string& engine,
                       const std::string& trouble) {
  Suite& suite = suites[{engine, "engine"}];
  suite.tests = suite.errors = 1;
  suite.cases = fmt::format(
      "    <testcase classname=\"{}\" name=\"starts\" time=\"0\">\n"
      "      <error message=\"{}\"/>\n    </testcase>\n",
      xml_escape(engine), xml_escape(trouble));
}

}  // namespace

std::string render_junit(const ReportData& data) {
  std::map<std::pair<std::string, std::string>, Suite> suites;
  const CausesOfCases causes(data);
  const std::vector<Group> groups = groups_of(data);
  for (const ShownCause& shown : shown_causes(data, groups)) add(suites[{shown.engine, "causes"}], shown, groups);
  for (const auto& [engine, cause] : data.changes.fixed) add_fixed(suites[{engine, "causes"}], engine, cause);
  for (const Finding& finding : data.findings) {
    add(suites[{finding.engine, finding.suite}], finding, engine_argument(data, finding.engine), causes.of(finding),
        waived_for(data, finding),
        data.newly_refused.contains(std::tuple(finding.engine, finding.suite, finding.number)));
  }
  for (const auto& [engine, notes] : data.engines) {
    if (const std::string trouble = start_trouble_of(notes); !trouble.empty()) {
      add_start_trouble(suites, engine, trouble);
      continue;
    }
    for (const auto& [note, words] : notes)
      if (note == EngineNote::Absent) add_absent(suites, engine, words);
  }
  Suite all;
  std::string body;
  for (const auto& [key, suite] : suites) {
    body += fmt::format(
        "  <testsuite name=\"{}.{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\">\n{}"
        "  </testsuite>\n",
        xml_escape(key.first), xml_escape(key.second), suite.tests, suite.failures, suite.errors, suite.skipped,
        suite.seconds, suite.cases);
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.skipped += suite.skipped;
    all.seconds += suite.seconds;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.6f}\">\n{}</testsuites>\n",
      xml_escape(data.title.empty() ? "cellproof" : data.title), all.tests, all.failures, all.errors, all.skipped,
      all.seconds, body);
}

}  // namespace cellproof::reports
