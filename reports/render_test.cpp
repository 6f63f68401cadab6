#include "reports/render.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/finding_json.hpp"
#include "reports/plain_text.hpp"
#include "reports/shown_causes.hpp"
#include "reports/testing/sample_findings.hpp"
#include "spec/testing/approval.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::reports {
namespace {

/// Runs a Python program over the text; returns what it prints, or "failed: ...".
std::string python(const std::string& program, const std::string& text) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "text";
  std::ofstream(file, std::ios::binary) << text;
  const std::string command =
      fmt::format("{} -c {} {} 2>&1", CELLPROOF_PYTHON, shell_quoted(program), shell_quoted(file.string()));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  return status == 0 ? output : "failed: " + output;
}

// Parser of another project, which must read what is written on the page: nothing of it became markup.
constexpr const char* html_reader = R"py(
import html.parser, sys
pages = ('https://onnx.ai/onnx/operators/', 'https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md')
void = {'meta', 'input', 'br', 'path', 'use', 'line', 'rect', 'circle'}
class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.ids = [], 0, set()
    def handle_starttag(self, tag, attributes):
        self.scripts += tag == 'script'
        for name, value in attributes:
            assert not name.startswith('on'), name
            assert name not in ('src', 'srcset', 'action') , name
            if name == 'href': assert value.startswith(('#', 'reduced/') + pages), value
            if name == 'id':
                assert value not in self.ids, value
                self.ids.add(value)
        # What scrolls by itself is reached with the keyboard.
        if tag == 'pre' or ('class', 'scroll') in attributes: assert ('tabindex', '0') in attributes, tag
        if tag not in void: self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        if tag in void: return
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()
reader = Reader()
text = open(sys.argv[1], 'rb').read().decode('utf-8')
reader.feed(text)
reader.close()
assert not reader.open, reader.open
assert reader.scripts == 1, reader.scripts
assert 'http://' not in text
assert not any(ord(c) < 32 and c not in '\n\t' for c in text)
print('ok', end='')
)py";

TEST(Render, HtmlIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/sample.html", render_html(sample_report())), "");
}
TEST(Render, JUnitIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/sample.xml", render_junit(sample_report())), "");
}
TEST(Render, SummaryIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/sample.txt", render_summary(sample_report())), "");
}
TEST(Render, VerboseSummaryIsApproved) {
  EXPECT_EQ(
      difference_from_approved("reports/approved/verbose.txt", render_summary(sample_report(), {.is_verbose = true})),
      "");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Render, SummaryKeepsToItsLinesAndWidth) {
  ReportData data = sample_report();
  for (const std::size_t width : {40U, 80U})
    for (const std::string& line : lines_of(render_summary(data, {.width = width})))
      EXPECT_LE(line.size(), width) << line;
  for (const std::size_t lines : {8U, 12U, 17U})
    EXPECT_LE(lines_of(render_summary(data, {.lines = lines})).size(), lines);
  EXPECT_EQ(lines_of(render_summary(data, {.lines = 0})).size(), 8U) << "each engine, what is noted of it, no causes";
  for (int k = 0; k < 10; ++k) data.engines.push_back({fmt::format("more {}", k), {}});
  EXPECT_LE(lines_of(render_summary(data, {.lines = 20})).size(), 20U);
}

TEST(Render, SaysInOneLineThatAStoreHasNoCauses) {
  ReportData data = sample_report();
  for (auto& [engine, notes] : data.engines)
    std::erase_if(notes, [](const auto& note) { return note.first == EngineNote::Causes; });
  const std::string words = "npu: the store has no causes for some failures";
  EXPECT_THAT(render_summary(data), testing::HasSubstr(words));
  EXPECT_THAT(render_html(data), testing::HasSubstr(words));
  EXPECT_EQ(python(html_reader, render_html(data)), "ok");
}

TEST(Render, MarkdownIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/sample.md", render_markdown(sample_report())), "");
}

TEST(Render, MarkdownIsAScreenfulWithoutMarkupOfOthers) {
  ReportData data = hostile_report();
  for (int k = 0; k < 30; ++k)
    data.engines.push_back({fmt::format("a|b <i> `c` {}", k), {{EngineNote::Absent, "[x](http://y)"}}});
  const std::string text = render_markdown(data);
  EXPECT_LE(lines_of(text).size(), 45U);
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("<i>")));
  EXPECT_THAT(text, testing::HasSubstr("a\\|b &lt;i&gt; \\`c\\`"));
  EXPECT_EQ(text.find("[x]("), std::string::npos);
}

TEST(Render, JsonLinesAreApproved) {
  ReportData few = sample_report();
  std::erase_if(few.findings, [](const Finding& f) { return f.number % 9 != 4; });
  EXPECT_EQ(difference_from_approved("reports/approved/sample.jsonl", render_json_lines(few)), "");
}

TEST(Render, ShowsBothOutcomesOfWhatIsFlakyAndCountsIt) {
  const ReportData data = sample_report();
  const std::string page = render_html(data), xml = render_junit(data), summary = render_summary(data);
  const std::string sentence = "its worker died of SIGSEGV (Segmentation fault), and ran on an identical call";
  EXPECT_THAT(page, testing::HasSubstr(sentence));
  EXPECT_THAT(page, testing::HasSubstr("CRASHED in one call (SIGSEGV (Segmentation fault); ran when asked again), RAN "
                                       "in an identical one"));
  EXPECT_THAT(page, testing::HasSubstr("<dt>in one call</dt>"));
  EXPECT_THAT(page, testing::HasSubstr("returns uninitialised memory with T=0"));
  EXPECT_THAT(page, testing::HasSubstr("<dt>with another</dt>"));
  EXPECT_THAT(xml, testing::HasSubstr("<failure type=\"FLAKY\" message=\"flaky: SIGSEGV (Segmentation fault); ran when "
                                      "asked again\">"));
  EXPECT_THAT(xml, testing::HasSubstr("first violation: Y_c[0, 1, 2], with one filling of fresh memory 0, with "
                                      "another -3.6989206e+13"));
  EXPECT_THAT(summary, testing::ContainsRegex("npu 0.3-rc2 .* [0-9]+ flaky, "));
}

TEST(Render, HostileHtmlIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/hostile.html", render_html(hostile_report())), "");
}

TEST(Render, HtmlSaysInWordsWhatSignaturesAndNaNsAbbreviate) {
  const std::string page = render_html(sample_report());
  EXPECT_EQ(page.find("unattributed"), std::string::npos);
  EXPECT_NE(page.find("The run has too few cases, or too various ones, to say which axis value is to blame."),
            std::string::npos);
  EXPECT_EQ(page.find("nan +-"), std::string::npos);
  EXPECT_NE(page.find("<code>f</code> NaN<"), std::string::npos) << "a NaN's sign and radius say nothing";
  EXPECT_NE(page.find("<b>NaN</b>"), std::string::npos) << "as the actual value";
}

TEST(Render, HtmlIsWellNestedAndLoadsNothing) {
  EXPECT_EQ(python(html_reader, render_html(sample_report())), "ok");
  EXPECT_EQ(python(html_reader, render_html(hostile_report())), "ok");
  EXPECT_EQ(python(html_reader, render_html({})), "ok");
}

constexpr const char* junit_reader = R"py(
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites'
for suite in root:
    cases = list(suite)
    assert all(case.tag == 'testcase' for case in cases)
    for tag, counter in (('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped')):
        assert sum(case.find(tag) is not None for case in cases) == int(suite.get(counter)), (suite.get('name'), tag)
    assert len(cases) == int(suite.get('tests'))
print(root.get('tests'), root.get('failures'), root.get('errors'), root.get('skipped'), end='')
)py";

TEST(Render, JUnitIsValidXmlWithTrueCounts) {
  const ReportData sample = sample_report();
  std::size_t failing = 0;
  for (const Finding& f : sample.findings) failing += f.pass ? 0 : 1;
  const std::vector<ShownCause> causes = shown_causes(sample, groups_of(sample));
  const auto held = static_cast<std::size_t>(
      std::ranges::count_if(causes, [](const ShownCause& shown) { return held_against_engine(shown.kind); }));
  EXPECT_LT(held, causes.size()) << "a reading passes";
  const std::string counts = python(junit_reader, render_junit(sample));
  const std::size_t tests = sample.findings.size() + causes.size() + 1;
  EXPECT_TRUE(counts.starts_with(fmt::format("{} {} 1 ", tests, failing - 1 + held))) << counts;
  EXPECT_EQ(python(junit_reader, render_junit(hostile_report())), "12 5 2 1");
  EXPECT_EQ(python(junit_reader, render_junit({})), "0 0 0 0");
}

TEST(Render, JsonLinesReadBack) {
  const ReportData sample = hostile_report();
  const std::string lines = render_json_lines(sample);
  std::size_t count = 0;
  for (std::size_t at = 0; at < lines.size(); ++count) {
    const std::size_t end = lines.find('\n', at);
    EXPECT_EQ(finding_from_json(lines.substr(at, end - at)).case_line, sample.findings.at(count).case_line);
    at = end + 1;
  }
  EXPECT_EQ(count, sample.findings.size());
}

TEST(Render, NothingJudgedAndNobodyPresent) {
  EXPECT_NE(render_html({}).find("Nothing has been judged."), std::string::npos);
  ReportData absent;
  absent.engines = {{"onnxruntime", {{EngineNote::Absent, "the wheel is not installed"}}}};
  EXPECT_EQ(render_summary(absent), "onnxruntime  absent: the wheel is not installed\n");
  EXPECT_NE(render_html(absent).find("Absent: the wheel is not installed"), std::string::npos);
  EXPECT_NE(render_junit(absent).find("ENGINE_ABSENT: the wheel is not installed"), std::string::npos);
}

TEST(Render, FiveThousandFindingsStaySmallAndFast) {
  const ReportData large = large_report(5000);
  const auto start = std::chrono::steady_clock::now();
  const std::string page = render_html(large);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_LT(took.count(), 1.0);
}

TEST(Render, ShowsWhatIsWaivedAndWhatIsWrongWithTheWaivers) {
  ReportData data = sample_report();
  const auto failing =
      std::ranges::find_if(data.findings, [](const Finding& f) { return !f.pass && !f.signature.empty(); });
  ASSERT_NE(failing, data.findings.end());
  const auto alike =
      std::ranges::count_if(data.findings, [&](const Finding& f) { return f.signature == failing->signature; });
  data.waived[failing->signature] = {"2027-01-31", "https://example.org/1", "mended in <2.0>"};
  data.waiver_complaints = {"waiver v1:(npu, ...) expired on 2026-01-01"};
  const std::string page = render_html(data), xml = render_junit(data), summary = render_summary(data);
  EXPECT_THAT(page, testing::HasSubstr("Waived until 2027-01-31: mended in &lt;2.0&gt;"));
  EXPECT_THAT(page, testing::HasSubstr("expired on 2026-01-01"));
  EXPECT_THAT(xml, testing::HasSubstr(
                       "<skipped message=\"waived until 2027-01-31: mended in &lt;2.0&gt; (https://example.org/1)"));
  EXPECT_THAT(summary,
              testing::HasSubstr(counted(static_cast<std::size_t>(alike), "case") + " of these waived or known"));
  EXPECT_THAT(summary, testing::HasSubstr("expired on 2026-01-01"));
  EXPECT_THAT(render_html(sample_report()), testing::Not(testing::HasSubstr("Waived until")));
  data.waived[failing->signature] = {"", "", "base.sqlite fails so already"};
  EXPECT_THAT(render_html(data), testing::HasSubstr("Known: base.sqlite fails so already</p>"));
  EXPECT_THAT(render_junit(data), testing::HasSubstr("<skipped message=\"known: base.sqlite fails so already: "));
}

/// One case of a group may be waived, and the others not.
TEST(Render, ACaseThatIsWaivedDoesNotCoverItsGroup) {
  ReportData data = sample_report();
  const auto flaky = std::ranges::find_if(
      data.findings, [](const Finding& f) { return f.flaky && f.outcome == OutcomeKind::Crashed; });
  ASSERT_NE(flaky, data.findings.end());
  data.waived_findings[{flaky->engine, flaky->suite, flaky->number}] = {"2027-01-31", "https://example.org/1",
                                                                        "comes and goes"};
  EXPECT_THAT(render_html(data), testing::Not(testing::HasSubstr("comes and goes")));
  EXPECT_THAT(render_junit(data), testing::HasSubstr("waived until 2027-01-31: comes and goes"));
  EXPECT_THAT(render_summary(data), testing::HasSubstr("1 case of these waived or known"));
  Finding other = *flaky;
  other.engine = "another engine";
  EXPECT_EQ(waived_for(data, other), nullptr);
}

/// Ten cards of one screen each would be no first screen.
TEST(Render, ManyEnginesHaveShorterCards) {
  const auto listed = [](const ReportData& data) {
    const std::string page = render_html(data);
    const std::size_t card = page.find("\">onnx-reference</a>");
    return page.substr(card, page.find("</li>\n", card) - card).find("computes the forget gate") != std::string::npos;
  };
  ReportData data = sample_report();
  EXPECT_TRUE(listed(data)) << "the fifth of its causes";
  const std::vector<Finding> few = data.findings;
  for (const char* name : {"one more", "and another"}) {
    for (Finding finding : few) {
      finding.engine = name;
      data.findings.push_back(std::move(finding));
    }
  }
  EXPECT_FALSE(listed(data));
}

TEST(Render, ManyEnginesHaveNarrowColumns) {
  ReportData data = sample_report();
  const std::vector<Finding> few = data.findings;
  EXPECT_THAT(render_html(data), testing::HasSubstr("class=\"matrix\""));
  for (const char* name : {"fifth", "sixth", "seventh", "eighth"}) {
    for (Finding finding : few) {
      finding.engine = name;
      data.findings.push_back(std::move(finding));
    }
  }
  EXPECT_THAT(render_html(data), testing::HasSubstr("class=\"matrix many\""));
}

TEST(Render, ReadingsAreNeverHeldAgainstAnEngine) {
  ReportData data = sample_report();
  std::erase_if(data.findings, [](const Finding& f) { return f.judgement.verdict != Verdict::Reading; });
  ASSERT_FALSE(data.findings.empty());
  data.engines.clear();
  EXPECT_NE(render_html(data).find("No engine departs from the specification."), std::string::npos);
  EXPECT_NE(render_summary(data).find("0 wrong results"), std::string::npos);
}

}  // namespace
}  // namespace cellproof::reports
