#include "reports/grouping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "reports/shown_causes.hpp"
#include "reports/tally.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Finding judged(Verdict verdict, AxisValues axes, const std::string& signature = "", Operator op = Operator::LSTM) {
  Finding f;
  f.engine = "e";
  f.suite = "s";
  f.version = {op, 14};
  f.type = ElementType::Float;
  f.outcome = OutcomeKind::Ran;
  f.judgement.verdict = verdict;
  f.judgement.kind = verdict == Verdict::Diverges ? std::optional(ViolationKind::Value) : std::nullopt;
  f.axes = std::move(axes);
  f.signature = signature;
  f.pass = signature.empty();
  return f;
}

ReportData numbered(std::vector<Finding> findings) {
  ReportData data;
  for (Finding& f : findings) {
    f.number = static_cast<std::int64_t>(data.findings.size());
    if (f.case_line.empty()) f.case_line = "case " + std::to_string(f.number);
    data.findings.push_back(std::move(f));
  }
  return data;
}

TEST(Grouping, EveryFindingIsInOneGroupOrConforms) {
  for (const ReportData& data : {sample_report(), hostile_report()}) {
    std::size_t grouped = 0;
    for (const Group& group : groups_of(data)) {
      grouped += group.members.size();
      for (const Finding* f : group.members) EXPECT_EQ(kind_of(*f), group.kind);
    }
    const auto conforming = std::count_if(data.findings.begin(), data.findings.end(),
                                          [](const Finding& f) { return kind_of(f) == FindingKind::Conforms; });
    EXPECT_EQ(grouped + static_cast<std::size_t>(conforming), data.findings.size());
  }
}

TEST(Grouping, SortsByKindThenVerdictThenSize) {
  const Verdict d = Verdict::Diverges;
  Finding crash = judged(Verdict::Conforms, {}, "crash");
  crash.judgement = {};
  crash.outcome = OutcomeKind::Crashed;
  const ReportData data = numbered({judged(Verdict::Suspect, {}, "suspect"), crash, judged(d, {}, "small"),
                                    judged(d, {}, "large"), judged(d, {}, "large"), judged(Verdict::Undecided, {})});
  std::vector<std::string> keys;
  for (const Group& group : groups_of(data)) keys.push_back(group.key);
  EXPECT_THAT(keys, ElementsAre("large", "small", "suspect", "crash", ""));
}

TEST(Grouping, PutsTheLargestGapFirstWhateverTheTextAdmits) {
  const auto refused = [](Finding f, const std::string& message) {
    f.outcome = OutcomeKind::NotSupported;
    f.outcome_message = message;
    return f;
  };
  Finding plain = judged(Verdict::Conforms, {});
  plain.judgement.verdict.reset();
  const Finding admitted = refused(judged(Verdict::Reading, {}), "no empty names");
  const Finding common = refused(plain, "no kernel");
  const ReportData data = numbered({admitted, common, common});
  const std::vector<Group> groups = groups_of(data);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups.front().representative->outcome_message, "no kernel");
}

TEST(Grouping, RepresentsAGroupByItsSmallestCaseAmongTheWorst) {
  Finding longer = judged(Verdict::Diverges, {}, "g");
  longer.case_line = "a long case line";
  Finding shorter = longer;
  shorter.case_line = "short";
  Finding milder = judged(Verdict::Suspect, {}, "g");
  milder.case_line = "s";
  const ReportData data = numbered({longer, milder, shorter});
  EXPECT_EQ(groups_of(data).front().representative->case_line, "short");
}

TEST(Grouping, PlotsTheWorstCaseThatHasASeries) {
  Finding plain = judged(Verdict::Diverges, {}, "g");
  plain.judgement.worst_ratio = 1e9;
  Finding mild = judged(Verdict::Diverges, {}, "g");
  mild.judgement.series = {{0, Direction::Forward, 1, 1, 1}};
  mild.judgement.worst_ratio = 2;
  Finding wild = mild;
  wild.judgement.worst_ratio = 20;
  const ReportData data = numbered({plain, mild, wild});
  EXPECT_EQ(groups_of(data).front().plotted, &data.findings[2]);
}

TEST(Grouping, NamesWhatAllHaveInCommonAndWhetherItPassesElsewhere) {
  const ReportData data = numbered({
      judged(Verdict::Diverges, {{"direction", "reverse"}, {"layout", "1"}, {"clip", "wide"}}, "g"),
      judged(Verdict::Diverges, {{"direction", "reverse"}, {"layout", "1"}}, "g"),
      judged(Verdict::Conforms, {{"direction", "reverse"}}),
      judged(Verdict::Reading, {{"direction", "reverse"}}),
      judged(Verdict::Conforms, {{"layout", "1"}}, "", Operator::GRU),
  });
  const Group group = groups_of(data).front();
  ASSERT_EQ(group.common.size(), 2U);
  EXPECT_EQ(to_string(group.common[0]), "direction=reverse");
  EXPECT_EQ(group.common[0].passing, 2U);
  EXPECT_EQ(to_string(group.common[1]), "layout=1");
  EXPECT_EQ(group.common[1].passing, 0U) << "a case of another operator says nothing";
  EXPECT_EQ(group.passing_alike, 0U);
  EXPECT_EQ(condition_of(group), "layout=1");
  Group blameless = group;
  blameless.key = "v1:(e, LSTM, DIVERGES, Y, value, -, axes=unattributed)";
  EXPECT_TRUE(is_unattributed(blameless));
  EXPECT_TRUE(guilty_values(blameless).empty()) << "the marker is no axis value";
  EXPECT_EQ(condition_of(blameless), nothing_to_blame);
  EXPECT_FALSE(is_unattributed(group));
}

TEST(Grouping, AnAxisOnWhichAllDifferFromTheDefaultIsCommonToo) {
  const ReportData data = numbered(
      {judged(Verdict::Diverges, {{"lengths", "ragged"}}, "g"), judged(Verdict::Diverges, {{"lengths", "one"}}, "g")});
  EXPECT_EQ(condition_of(groups_of(data).front()), "lengths=one|ragged");
}

TEST(Grouping, BelievesTheSignatureAboutTheGuilty) {
  const AxisValues axes{{"direction", "reverse"}, {"layout", "1"}};
  const auto condition = [&](const std::string& signature) {
    const ReportData data = numbered({judged(Verdict::Diverges, axes, signature)});
    return condition_of(groups_of(data).front());
  };
  EXPECT_EQ(condition("v1:(e, LSTM, DIVERGES, Y, value, -, layout=1)"), "layout=1");
  EXPECT_EQ(condition("v1:(e, LSTM, DIVERGES, Y, value, -, activation=any clip=zero)"), "activation=any, clip=zero");
  EXPECT_EQ(condition("v1:(e, LSTM, DIVERGES, Y, value, -, -)"), "");
  EXPECT_EQ(condition("of another form"), "direction=reverse, layout=1");
}

Finding refused_with(const char* message) {
  Finding finding = judged(Verdict::Conforms, {});
  finding.judgement = {};
  finding.outcome = OutcomeKind::Rejected;
  finding.outcome_message = message;
  return finding;
}

TEST(Grouping, GapsAreOneWhereOnlyNumbersDiffer) {
  const std::vector<Group> groups =
      groups_of(numbered({refused_with("no kernel for shape {1,20,3}"), refused_with("no kernel for shape {2,4,33}"),
                          refused_with("no kernel at all")}));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].members.size(), 2U);
}

TEST(Grouping, GapsAreOneWhereOnlyTheNodesInputsAndTheLawDiffer) {
  Finding of_law =
      refused_with("law layout: run 0: REJECTED: no kernel for (X, W, R) with ['clip', 'layout'], see the log");
  of_law.law = "layout";
  const std::vector<Group> groups = groups_of(
      numbered({refused_with("no kernel for (X: tensor(float), W) with ['clip'], see the log"), of_law,
                refused_with("no kernel for (X), see the page"), refused_with("no kernel for (X, see the log"),
                refused_with("no kernel for (Y, see the page")}));
  ASSERT_EQ(groups.size(), 4U) << "what is open says no more than itself";
  EXPECT_EQ(groups[0].members.size(), 2U);
}

TEST(Grouping, CountsOnlyWhatIsHeldAgainstTheEngineAsItsFault) {
  Finding declared = judged(Verdict::Precision, {});
  Finding imprecise = judged(Verdict::Precision, {}, "v1:(e, LSTM, PRECISION, Y, value, tf32, -)");
  EXPECT_EQ(kind_of(declared), FindingKind::Conforms) << "the engine declared that contract";
  EXPECT_EQ(kind_of(imprecise), FindingKind::Imprecise);
  Finding cheat = judged(Verdict::Conforms, {}, "x");
  cheat.misconduct = {Misconduct::ChangedInputs};
  EXPECT_EQ(kind_of(cheat), FindingKind::Misconduct);
  cheat.judgement.verdict = Verdict::Diverges;
  EXPECT_EQ(kind_of(cheat), FindingKind::Wrong);
  for (const Verdict harmless : {Verdict::Conforms, Verdict::Reading, Verdict::Undecided, Verdict::RefusedAsExpected})
    EXPECT_FALSE(held_against_engine(kind_of(judged(harmless, {})))) << name(harmless);
}

TEST(Grouping, CountsARefusalThatTheTextAdmitsAsAGapAndNoReading) {
  Finding read = judged(Verdict::Reading, {});
  read.judgement.readings = Readings{}.with(Clause::ClipZero, "off");
  EXPECT_EQ(kind_of(read), FindingKind::Reading);
  Finding refused = judged(Verdict::Reading, {});
  refused.judgement.readings = Readings{}.with(Clause::ClipZero, "refuse");
  for (const OutcomeKind outcome : {OutcomeKind::Rejected, OutcomeKind::NotSupported}) {
    refused.outcome = outcome;
    EXPECT_EQ(kind_of(refused), FindingKind::Gap);
    ReportData data = numbered({refused});
    EXPECT_TRUE(shown_causes(data, groups_of(data)).empty()) << "it reads nothing otherwise";
  }
}

Finding by_chance(OutcomeKind outcome, int signal, OtherOutcome other) {
  Finding f = judged(Verdict::Diverges, {{"clip", "zero"}}, "v1:(e, LSTM, FLAKY, -, CRASHED, -, -)");
  if (outcome != OutcomeKind::Ran) f.judgement = {};
  f.outcome = outcome;
  f.signal = signal;
  f.flaky = std::move(other);
  return f;
}

TEST(Grouping, WhatComesByChanceIsAKindOfItsOwnWithBothOutcomes) {
  const std::string subject = "LSTM 14: ";
  struct Row {
    Finding finding;
    const char* event;
  };
  for (const auto& [finding, event] :
       {Row{by_chance(OutcomeKind::Crashed, SIGSEGV, {}),
            "answers by chance: its worker died of SIGSEGV (Segmentation fault), and ran on an identical call"},
        Row{by_chance(OutcomeKind::TimedOut, 0, {OutcomeKind::Rejected, "no", 0}),
            "is late at times: gave no answer in time, and refused it on an identical call"},
        Row{by_chance(OutcomeKind::Ran, 0, {}), "answers by chance: two identical calls differ"}}) {
    EXPECT_EQ(kind_of(finding), FindingKind::Flaky);
    const ReportData data = numbered({finding, judged(Verdict::Conforms, {{"clip", "zero"}})});
    const Group group = groups_of(data).front();
    EXPECT_EQ(sentence_of(group), subject + event);
    EXPECT_EQ(condition_of(group), "") << "chance has no axis values";
  }
  EXPECT_TRUE(held_against_engine(FindingKind::Flaky));
  EXPECT_EQ(kind_of(by_chance(OutcomeKind::HarnessError, 0, {})), FindingKind::HarnessError) << "our own fault";
}

TEST(Grouping, SaysInWhichOutputMemoryWasThatNobodyWrote) {
  Finding f = judged(Verdict::Diverges, {{"T", "0"}}, "v1:(e, LSTM, DIVERGES, Y_c, memory, -, T=0)");
  f.judgement.kind = ViolationKind::Memory;
  f.misconduct = {Misconduct::UninitialisedMemory};
  f.judgement.first = FirstViolation{};
  f.judgement.first->output = output::Y_c;
  EXPECT_EQ(kind_of(f), FindingKind::Wrong);
  const ReportData data = numbered({f});
  EXPECT_EQ(sentence_of(groups_of(data).front()), "LSTM 14: returns uninitialised memory in Y_c");
}

TEST(Tally, SaysWhichEngineDoesWhat) {
  const ReportData data = sample_report();
  const std::vector<EngineTally> engines = tally(data, shown_causes(data, groups_of(data)));
  ASSERT_EQ(engines.size(), 5U);
  std::size_t total = 0;
  for (const EngineTally& engine : engines) total += engine.total();
  EXPECT_EQ(total, data.findings.size());
  EXPECT_FALSE(engines[0].at_fault());
  EXPECT_TRUE(engines[1].at_fault());
  EXPECT_FALSE(engines[4].ran());
  EXPECT_EQ(headline_of(engines[4]), "absent: libonnxruntime.so.1.20.1 is not installed");
  EXPECT_EQ(run_headline(engines), "onnxruntime, onnx-reference and npu return wrong results.");
  EXPECT_EQ(run_headline({engines[0]}), "No engine departs from the specification.");
  EXPECT_EQ(run_headline({engines[4]}), "Nothing has been judged.");
}

}  // namespace
}  // namespace cellproof::reports
