#include "campaign/attribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Finding finding(AxisValues axes, bool pass) {
  Finding f;
  f.engine = "engine";
  f.version = {Operator::LSTM, 22};
  f.axes = std::move(axes);
  f.pass = pass;
  f.outcome = OutcomeKind::Ran;
  f.judgement.verdict = pass ? Verdict::Conforms : Verdict::Diverges;
  f.judgement.kind = pass ? std::nullopt : std::optional(ViolationKind::Value);
  return f;
}

TEST(Attribution, BlamesTheValueWithWhichEveryCaseFails) {
  const std::vector<Finding> findings = {finding({{"B", "given"}}, true),
                                         finding({{"B", "given"}, {"clip", "biting"}}, false),
                                         finding({{"B", "given"}, {"clip", "biting"}, {"direction", "reverse"}}, false),
                                         finding({{"B", "given"}, {"direction", "reverse"}}, true)};
  const auto guilty = guilty_axis_values(findings);
  EXPECT_THAT(guilty[0], IsEmpty());
  EXPECT_THAT(guilty[1], ElementsAre(Pair("clip", "biting")));
  EXPECT_THAT(guilty[2], ElementsAre(Pair("clip", "biting")));
}

TEST(Attribution, TwoFaultsOfOneEngineBecomeTwoSignatures) {
  const std::vector<Finding> findings = {
      finding({{"clip", "biting"}}, false), finding({{"clip", "biting"}, {"layout", "1"}}, false),
      finding({{"input_forget", "1"}}, false), finding({{"input_forget", "1"}, {"layout", "1"}}, false),
      finding({{"layout", "1"}}, true)};
  const auto names = signatures(findings);
  EXPECT_EQ(names[0], names[1]);
  EXPECT_EQ(names[2], names[3]);
  EXPECT_NE(names[0], names[2]);
  EXPECT_EQ(names[4], "");
  EXPECT_EQ(names[0], "v1:(engine, LSTM, DIVERGES, -, value, -, clip=biting)");
}

/// Single cases of many origins, as suite `regressions` has them: all have some size, and nothing else in common.
TEST(Attribution, BlamesNothingWhereThereIsNothingToCompareWith) {
  std::vector<Finding> findings = {
      finding({{"I", "1"}, {"activation.f", "Elu"}, {"clip", "biting"}}, false),
      finding({{"I", "2"}, {"direction", "reverse"}, {"regime", "chaotic"}}, false),
      finding({{"I", "3"}, {"B", "given"}, {"outputs", "Y"}}, false),
      finding({{"type", "double"}, {"layout", "1"}, {"lengths", "ragged"}, {"input_forget", "1"}}, true)};
  for (const std::size_t k : {0, 1, 2}) EXPECT_EQ(guilty_axis_values(findings)[k], unattributed()) << k;
  EXPECT_EQ(signatures(findings)[0], "v1:(engine, LSTM, DIVERGES, -, value, -, axes=unattributed)");
  // A case near by that fares well is something to compare with; so are many, however far away.
  std::vector<Finding> near = findings;
  near.push_back(finding({{"B", "given"}, {"outputs", "Y"}}, true));
  EXPECT_NE(guilty_axis_values(near)[2], unattributed());
  for (int k = 0; k < 10; ++k) findings.push_back(findings[3]);
  for (const std::size_t k : {0, 1, 2}) EXPECT_NE(guilty_axis_values(findings)[k], unattributed()) << k;
}

TEST(Attribution, AnInteractionKeepsBothValues) {
  const std::vector<Finding> findings = {finding({{"clip", "biting"}}, true), finding({{"direction", "reverse"}}, true),
                                         finding({{"clip", "biting"}, {"direction", "reverse"}}, false),
                                         finding({{"layout", "1"}}, true)};
  EXPECT_THAT(guilty_axis_values(findings)[2], ElementsAre(Pair("clip", "biting"), Pair("direction", "reverse")));
}

TEST(Attribution, AnEngineThatIgnoresAnAttributeIsOneGroup) {
  const std::vector<Finding> findings = {
      finding({{"activation.f", "Relu"}}, false), finding({{"activation.f", "Elu"}, {"activation.g", "Relu"}}, false),
      finding({{"activation.g", "Softsign"}}, false), finding({{"layout", "1"}}, true)};
  const auto guilty = guilty_axis_values(findings);
  for (const std::size_t k : {0, 1, 2}) EXPECT_THAT(guilty[k], ElementsAre(Pair("activation", "any"))) << k;
}

TEST(Attribution, TheFaultThatExplainsMostComesFirstAndIntoTheSignature) {
  std::vector<Finding> findings = {finding({}, false), finding({}, false), finding({}, false), finding({}, true)};
  findings[0].judgement.faults = {"a", "b"};
  findings[1].judgement.faults = {"b", "c"};
  findings[2].judgement.faults = {"d"};
  EXPECT_THAT(put_likeliest_faults_first(findings), ElementsAre(0U));
  EXPECT_THAT(findings[0].judgement.faults, ElementsAre("b", "a"));
  const auto names = signatures(findings);
  EXPECT_EQ(names[0], "v1:(engine, LSTM, DIVERGES, -, value, b, -)");
  EXPECT_EQ(names[1], names[0]);
  EXPECT_NE(names[2], names[0]);
}

/// Two runs of one engine must sign alike, whatever chance does in between.
TEST(Attribution, TellsBrokenRulesApart) {
  std::vector<Finding> findings(3, finding({{"clip", "biting"}}, false));
  for (Finding& f : findings) {
    f.judgement.verdict = Verdict::AcceptedInvalid;
    f.judgement.kind = ViolationKind::Rule;
    f.expectation = {Expectation::Kind::Refuse, {{"type-of-sequence_lens", "", ""}}, {}};
  }
  findings[2].expectation.violations.front().rule = "attribute-unknown";
  const auto names = signatures(findings);
  EXPECT_EQ(names[0], "v1:(engine, LSTM, ACCEPTED_INVALID, -, type-of-sequence_lens, -, axes=unattributed)");
  EXPECT_EQ(names[1], names[0]);
  EXPECT_EQ(names[2], "v1:(engine, LSTM, ACCEPTED_INVALID, -, attribute-unknown, -, axes=unattributed)");
}

TEST(Attribution, WhatIsFlakyBlamesNothingAndIsNoEvidence) {
  const auto flaky = [](OutcomeKind outcome, AxisValues axes) {
    Finding f = finding(std::move(axes), false);
    f.outcome = outcome;
    f.flaky = OtherOutcome{};
    if (outcome == OutcomeKind::Ran)
      f.judgement.kind = ViolationKind::Repeat;
    else
      f.judgement = {};
    return f;
  };
  const std::vector<Finding> steady = {finding({{"clip", "biting"}}, false),
                                       finding({{"clip", "biting"}, {"layout", "1"}}, false),
                                       finding({{"direction", "reverse"}}, true), finding({{"layout", "1"}}, true)};
  const auto before = signatures(steady);
  std::vector<Finding> all = steady;
  all.push_back(flaky(OutcomeKind::Crashed, {{"direction", "reverse"}}));
  all.push_back(flaky(OutcomeKind::Crashed, {{"clip", "biting"}, {"T", "1"}}));
  all.push_back(flaky(OutcomeKind::Ran, {}));
  all.push_back(flaky(OutcomeKind::Ran, {{"layout", "1"}}));
  all.back().judgement.first = FirstViolation{};
  all.back().judgement.first->output = output::Y_h;
  all.push_back(finding({{"direction", "reverse"}}, false));
  all.back().flaky = OtherOutcome{OutcomeKind::Rejected, "no", 0};
  const auto after = signatures(all);
  EXPECT_TRUE(std::ranges::equal(before, std::span(after).first(before.size())));
  EXPECT_EQ(after[4], "v1:(engine, LSTM, FLAKY, -, CRASHED, -, -)");
  EXPECT_EQ(after[5], after[4]);
  EXPECT_EQ(after[6], "v1:(engine, LSTM, FLAKY, -, repeat, -, -)");
  EXPECT_EQ(after[7], after[6]) << "in which output two answers differ first is chance, too";
  EXPECT_EQ(after[8], "v1:(engine, LSTM, FLAKY, -, REJECTED, -, -)") << "what is no answer names it";
}

TEST(Attribution, ACaseThatFailsAtItsDefaultsBlamesNothing) {
  const std::vector<Finding> findings = {finding({}, false), finding({{"layout", "1"}}, false)};
  const auto guilty = guilty_axis_values(findings);
  EXPECT_THAT(guilty[0], IsEmpty());
  EXPECT_THAT(guilty[1], IsEmpty());
}

}  // namespace
}  // namespace cellproof::campaign
