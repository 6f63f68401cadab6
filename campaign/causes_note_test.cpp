#include "campaign/causes_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "campaign/merge_stores.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "reports/cause_json.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

struct AskedLine {
  std::string line, law = "";
};

const std::vector<AskedLine> lines = {
    {"cellproof-case/1 op=LSTM-14 T=3 N=2 I=2 H=4"},
    {"cellproof-case/1 op=LSTM-14 T=3 N=2 I=2 H=4 B=given"},
    {"cellproof-case/1 op=LSTM-14 T=3 N=2 I=2 H=4 B=given P=given"},
    {"cellproof-case/1 op=LSTM-14 T=3 N=2 I=2 H=4 P=given"},
    {"cellproof-case/1 op=RNN-14 T=3 N=2 I=2 H=4 B=given"},
};

/// Laws about nodes in layout 1, and one that compares it with layout 0.
std::vector<AskedLine> laws_of_layout_1() {
  std::vector<AskedLine> asked;
  for (const char* law : {"batch-permutation", "batch-split", "time-split", "repeated-run", "sequence-of-calls",
                          "weights-rescaled", "padding-contents", "unit-permutation"})
    asked.push_back({"cellproof-case/1 op=GRU-22 T=2 N=3 I=2 H=4 B=given layout=1", law});
  asked[6].line = "cellproof-case/1 op=GRU-22 T=3 N=3 I=2 H=4 layout=1 sequence_lens=given,values:3/2/1";
  asked.push_back({"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 B=given", "layout"});
  asked.push_back({"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 B=given direction=bidirectional", "forward-half"});
  asked.push_back({"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 B=given layout=1"});
  asked.push_back({"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 B=given"});
  return asked;
}

/// An engine with faults in a run: its findings, and what was kept of its answers.
struct AskedOf {
  /// `spoil`: does something more to the outputs of each call; may be empty.
  explicit AskedOf(const std::vector<const char*>& faults, std::size_t most_bytes = 1 << 20,
                   const std::vector<AskedLine>& asked = lines,
                   const std::function<void(const Problem&, Outputs&)>& spoil = {})
      : kept(most_bytes) {
    lab::mutants::Composite engine;
    for (const char* id : faults) engine.push_back(lab::mutants::mutant_named(id));
    under_test.kept = &kept;
    const engines::Probe ask = [&](const Problem& problem) {
      Outcome outcome;
      outcome.kind = OutcomeKind::Ran;
      outcome.outputs = lab::mutants::run(problem, engine);
      if (spoil) spoil(problem, outcome.outputs);
      return outcome;
    };
    for (const auto& [line, law] : asked) {
      const auto number = static_cast<std::int64_t>(findings.size());
      const Trial trial = make_trial("some", number, {std::to_string(number), parse_case(line), law});
      findings.push_back(conclude(trial, under_test, {ask(questions_of(trial).front())}, ask));
    }
  }

  FoundCauses found(const std::function<bool()>& is_over) const {
    return causes_of(findings, kept, under_test, is_over);
  }
  std::vector<Cause> causes() const {
    return found([] { return false; }).causes;
  }

  KeptAnswers kept;
  EngineUnderTest under_test{"asked", "1", {}};
  std::vector<Finding> findings;
};

std::vector<std::string> titles_of(const std::vector<Cause>& causes) {
  std::vector<std::string> titles;
  for (const Cause& cause : causes) titles.push_back(cause.id + ": " + cause.title);
  return titles;
}

std::vector<std::string> ids_of(const std::vector<Cause>& causes) {
  std::vector<std::string> ids;
  for (const Cause& cause : causes) ids.push_back(cause.id);
  return ids;
}

TEST(Causes, OfARunSayEachFaultOnce) {
  const AskedOf asked({"rb-ignored", "peepholes-ignored"});
  const json causes = json::parse(reports::to_json("asked", asked.causes()));
  ASSERT_EQ(causes.size(), 2U) << causes;
  std::set<std::string> ids;
  for (const json& cause : causes) {
    ids.insert(cause.at("id"));
    EXPECT_EQ(cause.at("engine"), "asked");
    EXPECT_EQ(cause.at("status"), "likely");
    EXPECT_EQ(cause.at("faults").size(), 1U);
    EXPECT_THAT(cause.at("readings"), IsEmpty());
    EXPECT_TRUE(cause.at("contract").is_null());
    EXPECT_FALSE(cause.at("clause").get<std::string>().empty());
    EXPECT_EQ(cause.at("pages").at(cause.at("pages").size() - cause.at("operators").size()),
              "https://onnx.ai/onnx/operators/onnx__LSTM.html");
    EXPECT_NO_THROW(parse_case(cause.at("case").get<std::string>()));
  }
  EXPECT_EQ(ids, (std::set<std::string>{"fault:rb-ignored", "fault:peepholes-ignored"}));
  EXPECT_EQ(causes[0].at("cases"), 3);
  EXPECT_EQ(causes[0].at("where"), (json{{"some", {1, 2, 4}}}));
  EXPECT_EQ(causes[0].at("operators"), (json{"LSTM", "RNN"}));
  EXPECT_EQ(causes[0].at("pages").size(), 2U);
  EXPECT_TRUE(causes[0].at("passing").is_null()) << "of RNN no case passes";
  EXPECT_EQ(causes[1].at("passing").at("with"), json::array({json::array({"input.P", "absent"})}));
  EXPECT_EQ(parse_case(causes[1].at("passing").at("case").get<std::string>()), parse_case(lines[0].line));
}

TEST(Causes, OfBrokenLawsAreTheFaultsThatBreakThem) {
  const AskedOf asked({"layout-1-taken-for-0"}, 1 << 20, laws_of_layout_1());
  const auto broken = std::ranges::count_if(
      asked.findings, [](const Finding& finding) { return !finding.pass && !finding.law.empty(); });
  EXPECT_GE(broken, 8);
  const std::vector<Cause> causes = asked.causes();
  ASSERT_THAT(titles_of(causes), ElementsAre("fault:layout-1-taken-for-0: takes layout 1 for layout 0"));
  EXPECT_EQ(causes[0].cases, broken + 1);
  EXPECT_EQ(parse_case(causes[0].case_line), parse_case(asked.findings.at(10).case_line))
      << "a law's case shows nothing";
  KeptAnswers taken;
  taken.take_over(asked.findings, asked.kept.to_store(asked.findings));
  EXPECT_EQ(titles_of(causes_of(asked.findings, taken, asked.under_test, [] { return false; }).causes),
            titles_of(causes));
}

/// A law that the fault alone would not break stays what nothing explains, whatever the fault does to its runs.
TEST(Causes, OfBrokenLawsAreNoFaultsThatDoNotBreakThem) {
  const AskedLine by_itself{"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 layout=1"};
  const AskedLine square{"cellproof-case/1 op=GRU-22 T=3 N=3 I=2 H=4 layout=1", "repeated-run"};
  const AskedLine rows{"cellproof-case/1 op=GRU-22 T=3 N=2 I=2 H=4 layout=1", "batch-permutation"};
  // In every other call the last bit of an element is another one: both are honest, and the law sees it.
  int calls = 0;
  const auto changes_a_bit = [&](const Problem& problem, Outputs& outputs) {
    if (problem.input(input::X)->shape().at(0) != 3 || ++calls % 2 == 0) return;
    outputs.at(0)->set_value(0, std::nextafter(static_cast<float>(outputs.at(0)->value(0)), 2.0F));
  };
  const AskedOf unsteady({"layout-1-taken-for-0"}, 1 << 20, {by_itself, rows, square}, changes_a_bit);
  EXPECT_THAT(ids_of(unsteady.causes()), UnorderedElementsAre("fault:layout-1-taken-for-0", "repeated-run:any"));
  EXPECT_EQ(unsteady.causes().front().cases, 2);
  // An element that is wrong in the runs of the law only.
  const auto spoils_an_element = [&](const Problem& problem, Outputs& outputs) {
    if (problem.attributes.direction) outputs.at(0)->set_value(0, 0.75);
  };
  AskedLine spoilt = rows;
  spoilt.line += " direction=forward";
  const AskedOf wrong({"layout-1-taken-for-0"}, 1 << 20, {by_itself, rows, spoilt}, spoils_an_element);
  EXPECT_THAT(ids_of(wrong.causes()), UnorderedElementsAre("fault:layout-1-taken-for-0", "batch-permutation:any"));
}

TEST(Causes, OfAnEngineThatIsRightAreNone) {
  EXPECT_THAT(AskedOf({}).causes(), IsEmpty());
}

TEST(Causes, NeedNoAnswersWhereNoneIsWrong) {
  AskedOf asked({});
  Finding& crashed = asked.findings.front();
  crashed.pass = false;
  crashed.outcome = OutcomeKind::Crashed;
  crashed.judgement.verdict.reset();
  const auto answered = [&] { return asked.kept.answered(asked.findings, {}, {}); };
  EXPECT_THAT(answered(), Each(Field(&causes::Answered::answers, IsEmpty())));
  asked.findings.back().pass = false;
  EXPECT_THAT(answered().back().answers, Not(IsEmpty()));
}

TEST(Causes, SayThatTheirSearchWasEndedEarly) {
  const AskedOf asked({"rb-ignored", "peepholes-ignored"});
  EXPECT_EQ(asked.found([] { return false; }).cut_short, "");
  const auto at_once = [] { return true; };
  EXPECT_THAT(asked.found(at_once).cut_short,
              MatchesRegex("ended after [0-9,]+ judgements: causes may be missing, or likely only"));
  const auto notes_with = [&](const std::function<bool()>& is_over) {
    return notes_on_causes(asked.found(is_over), asked.findings, asked.under_test, "");
  };
  const EngineNotes ended = notes_with(at_once), whole = notes_with([] { return false; });
  EXPECT_EQ(words_of(ended, EngineNote::CausesCutShort), asked.found(at_once).cut_short);
  EXPECT_FALSE(json::parse(words_of(ended, EngineNote::Causes)).at(0).at("search_complete").get<bool>());
  EXPECT_EQ(words_of(whole, EngineNote::CausesCutShort), "");
  EXPECT_TRUE(json::parse(words_of(whole, EngineNote::Causes)).at(0).at("search_complete").get<bool>());
}

TEST(Causes, OfAnswersFromAStoreAreTheSame) {
  const AskedOf asked({"rb-ignored", "y-h-is-zero@y-not-asked"});
  KeptAnswers taken;
  std::vector<reports::StoredAnswer> stored = asked.kept.to_store(asked.findings);
  ASSERT_EQ(stored.size(), asked.findings.size());
  taken.take_over(asked.findings, stored);
  EXPECT_EQ(titles_of(causes_of(asked.findings, taken, asked.under_test, [] { return false; }).causes),
            titles_of(asked.causes()));
  // A damaged row has no part in it.
  for (reports::StoredAnswer& answer : stored) answer.outputs.pop_back();
  KeptAnswers damaged;
  damaged.take_over(asked.findings, stored);
  EXPECT_THAT(damaged.to_store(asked.findings), IsEmpty());
}

TEST(Causes, RestOnWhatTheStoreHas) {
  const TemporaryFolder folder;
  AskedOf asked({"rb-ignored", "y-h-is-zero@y-not-asked"});
  const std::vector<std::string> titles = titles_of(asked.causes());
  auto store = reports::Store::create(folder / "run.sqlite", run_metadata_of({{"suites", "some"}}));
  save(store, asked.findings, &asked.kept);
  EXPECT_THAT(asked.kept.to_store(asked.findings), IsEmpty());
  KeptAnswers taken;
  taken.take_over(asked.findings, store, "asked");
  EXPECT_EQ(titles_of(causes_of(asked.findings, taken, asked.under_test, [] { return false; }).causes), titles);
  // Tensors in somebody's file are not in a store.
  asked.findings.front().case_line += " X=given,file:0123456789abcdef.bin#0123456789abcdef";
  taken.forget(asked.findings);
  EXPECT_EQ(taken.to_store(asked.findings).size(), 1U);
  // What is right and follows no reading has no cause.
  for (Finding& finding : asked.findings) finding.pass = true;
  KeptAnswers of_passes;
  of_passes.take_over(asked.findings, store, "asked");
  EXPECT_THAT(of_passes.to_store(asked.findings), IsEmpty());
}

TEST(Causes, OfMergedStoresAreThoseOfOneRun) {
  const TemporaryFolder folder;
  const AskedOf asked({"rb-ignored", "peepholes-ignored"});
  const std::vector<reports::StoredAnswer> answers = asked.kept.to_store(asked.findings);
  const auto write = [&](const char* name, const char* shard, std::size_t first, std::size_t step) {
    auto store = reports::Store::create(folder / name, run_metadata_of({{"suites", "some"}, {"shard", shard}}));
    store.set_engine_note("asked", EngineNote::Version, "1");
    for (std::size_t k = first; k < asked.findings.size(); k += step)
      store.add({&asked.findings[k], 1}, {&answers.at(k), 1});
    return folder / name;
  };
  merge_stores({write("1.sqlite", "1/2", 0, 2), write("2.sqlite", "2/2", 1, 2)}, folder / "all.sqlite");
  const auto notes = reports::Store::open_read_only(folder / "all.sqlite").engine_notes();
  const auto causes = reports::causes_from_json(words_of(notes.at(0).second, EngineNote::Causes));
  ASSERT_TRUE(causes);
  EXPECT_EQ(titles_of(*causes), titles_of(asked.causes()));
  EXPECT_EQ(causes->front().cases, asked.causes().front().cases);
}

TEST(Causes, AreClustersOfWhatWasNotKept) {
  const AskedOf asked({"rb-ignored"}, 8);
  const json causes = json::parse(reports::to_json("asked", asked.causes()));
  ASSERT_EQ(causes.size(), 1U) << causes;
  EXPECT_EQ(causes[0].at("status"), "unexplained");
  EXPECT_EQ(causes[0].at("cases"), 3);
}

/// Without Y_c nobody sees where a sequence without steps ends: the run with all outputs shows it.
TEST(Causes, RestOnTheReadingsThatTheRunWithAllOutputsShows) {
  const Trial trial = make_trial(
      "some", 0,
      {"0", parse_case("cellproof-case/1 op=LSTM-14 T=3 N=2 I=2 H=4 sequence_lens=given,values:3/0 initial_c=given "
                       "outputs=absent,Y_h")});
  Finding finding;
  finding.suite = trial.suite;
  finding.version = trial.problem.version;
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = Verdict::Diverges;
  oracle::Answers answers;
  answers.outcome.kind = OutcomeKind::Ran;
  answers.outcome.outputs = lab::mutants::run(trial.problem, lab::mutants::Composite{});
  const ProvedReadings proved{{Operator::LSTM, Readings{}.with(Clause::ZeroLengthState, "zero")}};
  const auto followed = [&] {
    KeptAnswers kept;
    kept.keep(trial, answers);
    const std::vector<Finding> findings{finding};
    return std::string(kept.answered(findings, {}, proved).front().followed.of(Clause::ZeroLengthState));
  };
  EXPECT_NE(followed(), "zero");
  answers.all_outputs = answers.outcome;
  EXPECT_EQ(followed(), "zero");
}

TEST(Causes, AnswersThatChangeFromCallToCallAreNotJudgedAgain) {
  AskedOf asked({"rb-ignored"});
  asked.findings[1].flaky = OtherOutcome{};
  const json causes = json::parse(reports::to_json("asked", asked.causes()));
  ASSERT_EQ(causes.size(), 2U) << causes;
  EXPECT_EQ(causes[0].at("id"), "fault:rb-ignored");
  EXPECT_EQ(causes[0].at("cases"), 2);
  EXPECT_EQ(causes[1].at("status"), "unexplained");
}

}  // namespace
}  // namespace cellproof::campaign
