#include "reports/fingerprint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Finding finding(Operator op, Evidence evidence, const std::string& line = "a case") {
  Finding f;
  f.engine = "engine";
  f.version = {op, op == Operator::DynamicQuantizeLSTM ? 1 : 22};
  f.case_line = line;
  f.evidence = {std::move(evidence)};
  return f;
}

std::vector<FingerprintRow> rows_of(Clause clause, const std::vector<Finding>& findings) {
  std::vector<FingerprintRow> rows = fingerprint_of(findings, "engine");
  std::erase_if(rows, [&](const FingerprintRow& row) { return row.clause != clause; });
  return rows;
}

TEST(Fingerprint, HasEveryClauseEvenWithoutFindings) {
  const auto rows = fingerprint_of({}, "engine");
  ASSERT_EQ(rows.size(), clauses().size());
  for (const FingerprintRow& row : rows) {
    const bool hidden = answers(row.clause).empty();
    EXPECT_EQ(row.decision, hidden ? Decision::NotOutside : Decision::NotTested);
    EXPECT_FALSE(is_remarkable(row));
  }
  EXPECT_FALSE(has_fingerprint({}));
}

TEST(Fingerprint, OfOneCaseThatLeavesOneAnswerIsProved) {
  const auto rows = rows_of(Clause::ClipScope, {finding(Operator::LSTM, only(Clause::ClipScope, "gates"))});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(words_of(rows[0]), "gates");
  EXPECT_TRUE(is_remarkable(rows[0])) << "the default is gates+h";
}

TEST(Fingerprint, NarrowsDownByAllCasesTogether) {
  const auto rows = rows_of(Clause::ClipZero, {finding(Operator::GRU, {Clause::ClipZero, {0, 1}, {2}}),
                                               finding(Operator::GRU, {Clause::ClipZero, {}, {}})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].decision, Decision::Narrowed);
  EXPECT_EQ(words_of(rows[0]), "clamp or off");
  EXPECT_EQ(rows[0].cases, 1U);
}

TEST(Fingerprint, KeepsOperatorsApartThatDoNotAgree) {
  const auto rows = rows_of(Clause::ClipZero, {finding(Operator::LSTM, only(Clause::ClipZero, "refuse")),
                                               finding(Operator::GRU, only(Clause::ClipZero, "refuse")),
                                               finding(Operator::RNN, only(Clause::ClipZero, "clamp"))});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].operators, ElementsAre(Operator::LSTM, Operator::GRU));
  EXPECT_EQ(words_of(rows[0]), "refuse");
  EXPECT_EQ(rows[0].cases, 2U);
  EXPECT_FALSE(is_remarkable(rows[1]));
}

TEST(Fingerprint, SaysSoWhereCasesContradictEachOther) {
  const auto rows = rows_of(Clause::InputForget, {finding(Operator::LSTM, only(Clause::InputForget, "i=1-f")),
                                                  finding(Operator::LSTM, only(Clause::InputForget, "f=1-i"))});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(words_of(rows[0]), "f=1-i and i=1-f by case");
}

TEST(Fingerprint, CountsResultsThatFitNoAnswer) {
  const auto some = rows_of(Clause::InputForget, {finding(Operator::LSTM, only(Clause::InputForget, "f=1-i")),
                                                  finding(Operator::LSTM, none(Clause::InputForget))});
  EXPECT_EQ(words_of(some.at(0)), "f=1-i, and in 1 of 2 cases none");
  EXPECT_TRUE(is_remarkable(some.at(0)));
  const auto all = rows_of(Clause::InputForget, {finding(Operator::LSTM, none(Clause::InputForget))});
  EXPECT_EQ(words_of(all.at(0)), "no listed answer");
}

TEST(Fingerprint, ShowsTheShortestCaseThatProvesIt) {
  const auto rows = rows_of(Clause::ClipZero, {finding(Operator::GRU, {Clause::ClipZero, {0, 1}, {}}, "x"),
                                               finding(Operator::GRU, only(Clause::ClipZero, "off"), "long case"),
                                               finding(Operator::GRU, only(Clause::ClipZero, "off"), "case")});
  EXPECT_EQ(rows.at(0).example, "case");
}

TEST(RenderFingerprint, IsATableOfClausesByEngines) {
  ReportData data;
  EXPECT_EQ(render_fingerprint(data), "");
  data.findings = {finding(Operator::LSTM, only(Clause::ClipScope, "gates"))};
  const std::string text = render_fingerprint(data);
  EXPECT_THAT(text, HasSubstr("  clause                        engine\n"));
  EXPECT_THAT(text, HasSubstr("  clip-scope                    gates *\n"));
  EXPECT_THAT(text, HasSubstr("  summation-order               not visible from outside\n"));
}

}  // namespace
}  // namespace cellproof::reports
