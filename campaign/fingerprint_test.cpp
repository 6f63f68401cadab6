// Suite readings asks and the fingerprint answers: an engine that follows a reading on purpose must be told so.
#include "reports/fingerprint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "campaign/case_trial.hpp"
#include "campaign/evidence.hpp"
#include "campaign/proved_readings.hpp"
#include "corpus/suite.hpp"
#include "reference/reference.hpp"

namespace cellproof::campaign {
namespace {

using reports::Decision;
using reports::FingerprintRow;
using Behaviour = std::function<Outcome(const Problem&)>;

Behaviour reference_under(const Readings& readings) {
  return [readings](const Problem& problem) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = reference::run(problem, readings);
    return outcome;
  };
}

Outcome rejection() {
  Outcome outcome;
  outcome.kind = OutcomeKind::Rejected;
  outcome.message = "no";
  return outcome;
}

const std::vector<corpus::SuiteCase>& questions() {
  static const corpus::Suite suite = corpus::load_suite("readings");
  return suite.cases;
}

/// The rows of one clause after its cases ran on an engine that behaves so.
std::vector<FingerprintRow> rows_of(Clause clause, const Behaviour& engine) {
  std::vector<Finding> findings;
  for (std::size_t k = 0; k < questions().size(); ++k) {
    if (questions()[k].clause != clause) continue;
    const Trial trial = make_trial("readings", static_cast<std::int64_t>(k), questions()[k]);
    oracle::Answers answers{engine(trial.problem)};
    const oracle::Questions further = oracle::questions_about(trial.problem, trial.expectation, trial.valid_twin);
    if (further.valid_twin) answers.valid_twin = engine(*further.valid_twin);
    if (further.all_outputs) answers.all_outputs = engine(*further.all_outputs);
    const Outcome& outcome = answers.outcome;
    const Judgement judgement = oracle::decide(trial.problem, trial.expectation, answers, {}, {});
    Finding finding;
    finding.engine = "engine";
    finding.version = trial.c.version;
    finding.case_line = trial.case_line;
    finding.outcome = outcome.kind;
    finding.evidence = evidence_of(trial, outcome, judgement, {}, engine);
    findings.push_back(finding);
  }
  std::vector<FingerprintRow> rows = reports::fingerprint_of(findings, "engine");
  std::erase_if(rows, [&](const FingerprintRow& row) { return row.clause != clause; });
  return rows;
}

std::string said(const std::vector<FingerprintRow>& rows) {
  std::string text;
  for (const FingerprintRow& row : rows) {
    for (const Operator op : row.operators) text += std::string(name(op)) + " ";
    text += reports::words_of(row) + ", for example " + row.example + "; ";
  }
  return text;
}

bool proves(const std::vector<FingerprintRow>& rows, std::string_view answer) {
  return rows.size() == 1 && rows[0].decision == Decision::Proved &&
         names(rows[0].clause, rows[0].answers).front() == answer && rows[0].unlisted == 0;
}

TEST(SuiteReadings, AsksEveryClauseThatCanBeDecidedFromOutside) {
  std::map<Clause, int> asked;
  for (const corpus::SuiteCase& question : questions()) {
    const auto clause = question.clause;
    ASSERT_TRUE(clause) << question.name;
    ++asked[*clause];
  }
  for (const ClauseInfo& clause : clauses())
    EXPECT_EQ(asked[clause.clause] > 0, !answers(clause.clause).empty()) << clause.id;
}

TEST(SuiteReadings, CasesAreValidButForThoseThatMustBeRefused) {
  for (const corpus::SuiteCase& question : questions()) {
    const auto clause = *question.clause;
    const Expectation expectation = expectation_of(make_problem(question.c));
    EXPECT_EQ(expectation.kind == Expectation::Kind::Refuse, info(clause).kind == ClauseKind::Invalid) << question.name;
  }
}

TEST(Fingerprint, OfTheReferenceProvesEveryDefault) {
  for (const ClauseInfo& clause : clauses()) {
    if (answers(clause.clause).empty() || clause.kind == ClauseKind::Invalid) continue;
    const auto rows = rows_of(clause.clause, reference_under({}));
    EXPECT_TRUE(proves(rows, answers(clause.clause).front())) << clause.id << ": " << said(rows);
  }
}

TEST(Fingerprint, ProvesEveryReadingThatAnEngineFollows) {
  for (const ClauseInfo& clause : clauses()) {
    if (clause.kind != ClauseKind::Value) continue;
    for (const std::string_view answer : answers(clause.clause)) {
      if (answer == "refuse" || answer == "block-chunked") continue;  // chunks depend on a number of threads
      const auto rows = rows_of(clause.clause, reference_under(Readings{}.with(clause.clause, answer)));
      EXPECT_TRUE(proves(rows, answer)) << clause.id << "=" << answer << ": " << said(rows);
    }
  }
}

TEST(Fingerprint, OfARefusalIsRefuseWhereThatIsAnAnswer) {
  for (const ClauseInfo& clause : clauses()) {
    const auto list = answers(clause.clause);
    if (std::ranges::find(list, "refuse") == list.end()) continue;
    const auto rows = rows_of(clause.clause, [&](const Problem& problem) {
      const auto touched = clauses_touched(problem);
      const bool concerned = std::ranges::find(touched, clause.clause) != touched.end();
      return concerned ? rejection() : reference_under({})(problem);
    });
    EXPECT_TRUE(proves(rows, "refuse")) << clause.id << ": " << said(rows);
    const auto by_all = rows_of(clause.clause, [](const Problem&) { return rejection(); });
    ASSERT_EQ(by_all.size(), 1U) << clause.id;
    EXPECT_EQ(by_all[0].decision, Decision::Silent) << "an engine that refuses everything shows no reading";
  }
}

TEST(Fingerprint, OfInvalidCasesIsWhetherTheyAreRefused) {
  const auto careful = [](const Problem& problem) {
    return expectation_of(problem).kind == Expectation::Kind::Refuse ? rejection() : reference_under({})(problem);
  };
  EXPECT_TRUE(proves(rows_of(Clause::LengthOutOfRange, careful), "refused"));
  const auto careless = [](const Problem& problem) {
    Problem repaired = problem;
    repaired.inputs[input::sequence_lens].tensor = Tensor(ElementType::Int32, {3});
    return reference_under({})(repaired);
  };
  EXPECT_TRUE(proves(rows_of(Clause::LengthOutOfRange, careless), "accepted"));
}

/// Zeros everywhere: wrong under every reading, unless zeros are right.
TEST(Fingerprint, OfWrongResultsIsNoListedAnswer) {
  const auto zeros = [](const Problem& problem) {
    Outcome outcome = reference_under({})(problem);
    for (auto& tensor : outcome.outputs)
      if (tensor) tensor = Tensor(tensor->type(), tensor->shape());
    return outcome;
  };
  const auto value = rows_of(Clause::InputForget, zeros);
  ASSERT_EQ(value.size(), 1U);
  EXPECT_EQ(value[0].decision, Decision::Unlisted) << said(value);
  const auto settled = rows_of(Clause::RTransposed, zeros);
  EXPECT_TRUE(proves(settled, "broken")) << said(settled);
  const auto acceptance = rows_of(Clause::ActivationNameCase, zeros);
  ASSERT_EQ(acceptance.size(), 1U);
  EXPECT_EQ(acceptance[0].decision, Decision::Unlisted) << said(acceptance);
}

TEST(Fingerprint, OfAGapIsSilent) {
  const auto rows = rows_of(Clause::ClipScope, [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::NotSupported;
    return outcome;
  });
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].decision, Decision::Silent);
  EXPECT_EQ(reports::words_of(rows[0]), "not decidable: runs no such case");
  const auto crashes = rows_of(Clause::ClipScope, [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Crashed;
    return outcome;
  });
  ASSERT_EQ(crashes.size(), 1U);
  EXPECT_EQ(reports::words_of(crashes[0]), "no result");
}

TEST(ProvedReadings, AreThoseOfEachOperatorThatNothingContradicts) {
  const auto finding = [](Operator op, const Evidence& evidence) {
    Finding f;
    f.engine = "engine";
    f.version = {op, 7};
    f.case_line = "a line";
    f.evidence = {evidence};
    return f;
  };
  const std::vector<Finding> findings{finding(Operator::LSTM, only(Clause::PaddingOfY, "carry")),
                                      finding(Operator::LSTM, only(Clause::ClipZero, "refuse")),
                                      finding(Operator::LSTM, only(Clause::ClipScope, "gates")),
                                      finding(Operator::LSTM, only(Clause::ClipScope, "gates+cell")),
                                      finding(Operator::GRU, only(Clause::ZeroLengthState, "zero")),
                                      finding(Operator::GRU, none(Clause::PaddingOfY))};
  const ProvedReadings proved = proved_readings(findings, "engine");
  EXPECT_EQ(proved.at(Operator::LSTM), Readings{}.with(Clause::PaddingOfY, "carry"));
  EXPECT_EQ(proved.at(Operator::GRU), Readings{}.with(Clause::ZeroLengthState, "zero"));
  EXPECT_TRUE(proved_readings(findings, "another").empty());
  const EngineUnderTest engine{"engine", "1", {}, proved};
  EXPECT_EQ(engine.proved_of(Operator::LSTM), proved.at(Operator::LSTM));
  EXPECT_EQ(engine.proved_of(Operator::RNN), Readings{});
}

TEST(ShownReadings, AreThoseInWhichPassesAgree) {
  const auto passed = [](Operator op, const Readings& readings, OutcomeKind outcome = OutcomeKind::Ran) {
    Finding f;
    f.version = {op, 7};
    f.outcome = outcome;
    f.judgement.verdict = Verdict::Reading;
    f.judgement.readings = readings;
    return f;
  };
  const Readings zero = Readings{}.with(Clause::DefaultsAffineScaledTanh, "zero");
  const std::vector<Finding> findings{
      passed(Operator::LSTM, zero.with(Clause::ClipScope, "gates")),
      passed(Operator::LSTM, Readings{}.with(Clause::ClipScope, "gates+cell")),
      passed(Operator::LSTM, Readings{}.with(Clause::DefaultsAffineScaledTanh, "refuse"), OutcomeKind::Rejected)};
  const Readings carry = Readings{}.with(Clause::PaddingOfY, "carry");
  const ProvedReadings shown = with_shown_readings({{Operator::LSTM, carry}}, findings);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown.at(Operator::LSTM), carry.with(Clause::DefaultsAffineScaledTanh, "zero"));
}

}  // namespace
}  // namespace cellproof::campaign
