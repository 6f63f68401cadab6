#include "reports/cause_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "reports/recorded_causes.hpp"
#include "reports/render.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Cause mended() {
  Cause cause;
  cause.id = "fault:rb-ignored";
  cause.title = "leaves out the second half of B";
  cause.operators = {"GRU"};
  cause.cases = 7;
  cause.case_line = "cellproof-case/1 op=GRU-22";
  return cause;
}

/// The sample against a base in which onnx-reference clipped and left out half of B.
ReportData compared_report() {
  ReportData data = sample_report();
  data.changes.base = "base.sqlite";
  data.changes.versions["onnx-reference"] = "1.22.0";
  const auto causes = recorded_causes(data);
  for (const Cause& cause : causes.at("onnx-reference")) {
    const bool is_new = cause.id == "fault:clip-ignored";
    data.changes.now[{"onnx-reference", cause.id}] = {is_new ? Since::New : Since::Known, is_new ? 0 : cause.cases + 1};
    if (!is_new) data.waived_causes[{"onnx-reference", cause.id}] = {"", "", "base.sqlite has it"};
  }
  data.changes.fixed = {{"onnx-reference", mended()}};
  data.changes.uncompared = {"npu"};
  return data;
}

TEST(CauseChanges, AreALineEachForPeople) {
  EXPECT_EQ(changes_text(compared_report()),
            "causes against base.sqlite: 1 new, 4 known, 1 fixed\n"
            "  new      onnx-reference: does not clip (LSTM, GRU, RNN, 6 cases)  fault:clip-ignored\n"
            "  fixed    onnx-reference: leaves out the second half of B (GRU, 7 cases)  fault:rb-ignored\n"
            "  npu: this run or the base has no causes (it was ended early), so its cases are compared one by one\n");
  EXPECT_EQ(changes_text(sample_report()), "");
}

TEST(CauseChanges, StandBesideTheStatusInTextForPeople) {
  const std::string text = render_summary(compared_report(), {.is_verbose = true});
  EXPECT_THAT(text, HasSubstr("  6 cases  proved, new    does not clip"));
  EXPECT_THAT(text, HasSubstr("likely, known  takes every sequence"));
  const std::string markdown = render_markdown(compared_report());
  EXPECT_THAT(markdown, HasSubstr("| does not clip | LSTM, GRU, RNN | 6 | proved, new |"));
  EXPECT_THAT(markdown, HasSubstr("| leaves out the second half of B | GRU | | fixed |"));
}

TEST(CauseChanges, ComeFirstWhereTheyAreNew) {
  const std::string text = render_summary(compared_report(), {.is_verbose = true});
  EXPECT_LT(text.find("does not clip"), text.find("uses the default function f")) << "which has more cases";
}

TEST(CauseChanges, FailInJUnitWhereTheyAreNewAndPassWhereTheyAreFixed) {
  const std::string xml = render_junit(compared_report());
  EXPECT_THAT(xml, HasSubstr("<failure type=\"cause\" message=\"new: does not clip"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"known: base.sqlite has it: takes every sequence"));
  EXPECT_THAT(xml, HasSubstr("name=\"fault:rb-ignored\" time=\"0\">\n      <system-out>fixed: leaves out the second"));
}

/// Not HasSubstr: a page is a few hundred kilobytes, and a failing test would print it.
bool holds(const std::string& page, std::string_view part) {
  return page.find(part) != std::string::npos;
}

TEST(CauseChanges, AreFoundByTheFilterAndStandSideBySideOnThePage) {
  const std::string page = render_html(compared_report()), other = render_html(sample_report());
  for (const char* part :
       {"status:new clip", "status:known", "status:fixed\"", "<section id=\"changes\"><h2>Against base.sqlite</h2>",
        "onnx-reference <small>1 new, 1 fixed, 4 the same</small>",
        "class=\"n\">base 1.22.0</th><th scope=\"col\" class=\"n\">now 1.23.2</th>",
        "<span class=\"where\">LSTM, GRU, RNN</span></td><td class=\"n\">\u2013</td><td class=\"n\">6</td>",
        "npu <small>not compared by cause"}) {
    EXPECT_TRUE(holds(page, part)) << part;
    EXPECT_FALSE(holds(other, part)) << part;
  }
}

TEST(CauseChanges, AreInTheJsonOfCauses) {
  const std::string json = render_causes(compared_report());
  EXPECT_THAT(json, AllOf(HasSubstr("\"since\":\"new\""), HasSubstr("\"since\":\"known\"")));
  EXPECT_THAT(render_causes(sample_report()), Not(HasSubstr("since")));
}

}  // namespace
}  // namespace cellproof::reports
