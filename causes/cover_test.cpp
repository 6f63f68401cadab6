// The model of an engine: the fewest faults that explain its failing cases, and that no pass contradicts.
#include "causes/cover.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>

#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutants/mutants.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case.hpp"

namespace cellproof::causes {
namespace {

using lab::mutants::Composite;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// An engine with faults, asked case by case, as a run does.
class CoverOf : public ::testing::Test {
 protected:
  using Change = std::function<void(Case&)>;

  void has(std::initializer_list<const char*> ids) {
    for (const char* id : ids) engine_.push_back(lab::mutants::mutant_named(id));
  }

  const Finding& is_asked(const Change& change, Operator op = Operator::LSTM) {
    Case c = plain_case(newest(op), ElementType::Float, 3, 2, 2, 4);
    c.seed = findings_.size();
    change(c);
    const Problem problem = make_problem(c);
    oracle::Answers answers = answers_of(problem, engine_);
    Finding& finding = findings_.emplace_back();
    finding.judgement = oracle::decide(problem, {}, answers);
    finding.pass = oracle::passes_gate(answers.outcome, finding.judgement, {});
    Answered& answered = answered_.emplace_back(Answered{&finding});
    answered.answers.push_back({problem, answers.outcome.outputs});
    if (answers.all_outputs)
      answered.answers.push_back({oracle::with_all_outputs(problem), answers.all_outputs->outputs});
    return finding;
  }

  Cover found(const Bounds& bounds = {}) {
    const auto all = oracle::every_fault();
    Cover cover(answered_, {all.begin(), all.end()}, bounds);
    cover.search();
    return cover;
  }

  static std::vector<std::string> ids(const Cover& cover) {
    std::vector<std::string> list;
    for (const oracle::Fault* fault : cover.faults()) list.push_back(fault->id);
    return list;
  }

  static bool explains_all(const Cover& cover) {
    return std::ranges::all_of(cover.items(), [](const auto& item) { return item.standing == Standing::Explained; });
  }

  Composite engine_;
  std::deque<Finding> findings_;
  std::vector<Answered> answered_;
};

void plain(Case&) {}
void with_bias(Case& c) {
  c.inputs[input::B].presence = Presence::Given;
}
void with_peepholes(Case& c) {
  c.inputs[input::P].presence = Presence::Given;
}
void with_state(Case& c) {
  c.inputs[input::initial_h].presence = Presence::Given;
}

TEST_F(CoverOf, AnEngineThatIsRightHasNoFaults) {
  for (const auto& change : {plain, with_bias, with_peepholes}) EXPECT_TRUE(is_asked(change).pass);
  const Cover cover = found();
  EXPECT_THAT(ids(cover), IsEmpty());
  EXPECT_TRUE(explains_all(cover));
}

TEST_F(CoverOf, OneFaultIsNamedOnceForAllItsCases) {
  has({"rb-ignored"});
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(is_asked(with_bias).pass);
  is_asked(plain);
  is_asked(with_bias, Operator::RNN);
  const Cover cover = found();
  EXPECT_THAT(ids(cover), ElementsAre("rb-ignored"));
  EXPECT_TRUE(explains_all(cover));
}

TEST_F(CoverOf, FaultsComposeWhereACaseShowsSeveral) {
  has({"rb-ignored", "peepholes-ignored", "initial-h-ignored"});
  for (const auto& change : {plain, with_bias, with_peepholes, with_state}) is_asked(change);
  const Finding& all = is_asked([](Case& c) {
    with_bias(c);
    with_peepholes(c);
    with_state(c);
  });
  EXPECT_THAT(all.judgement.faults, IsEmpty()) << "no single fault explains it";
  const Cover cover = found();
  EXPECT_THAT(ids(cover), UnorderedElementsAre("rb-ignored", "peepholes-ignored", "initial-h-ignored"));
  EXPECT_TRUE(explains_all(cover));
}

TEST_F(CoverOf, APairIsFoundThatNoCaseShowsApart) {
  has({"rb-ignored", "peepholes-ignored"});
  const auto both = [](Case& c) {
    with_bias(c);
    with_peepholes(c);
  };
  for (int k = 0; k < 3; ++k) EXPECT_THAT(is_asked(both).judgement.faults, IsEmpty());
  const Cover cover = found();
  EXPECT_THAT(ids(cover), SizeIs(2));
  EXPECT_TRUE(explains_all(cover));
  EXPECT_FALSE(cover.is_cut_short());
}

TEST_F(CoverOf, APassContradictsAFaultThatExplainsTheFailures) {
  has({"rb-ignored@bidirectional"});
  const auto in_both = [](Case& c) {
    with_bias(c);
    c.attributes.direction = "bidirectional";
  };
  EXPECT_THAT(is_asked(in_both).judgement.faults, testing::Contains("rb-ignored"));
  is_asked(in_both);
  EXPECT_THAT(ids(found()), ElementsAre("rb-ignored")) << "nothing speaks against it yet";
  EXPECT_TRUE(is_asked(with_bias).pass);
  EXPECT_THAT(ids(found()), ElementsAre("rb-ignored@bidirectional"));
}

TEST_F(CoverOf, AWithheldFaultIsNotNamedByAnother) {
  has({"initial-h-negated"});
  for (int k = 0; k < 4; ++k) is_asked(with_state);
  is_asked(plain);
  Cover cover(answered_, oracle::every_fault_but("initial-h-negated"), {});
  cover.search();
  EXPECT_THAT(ids(cover), IsEmpty());
  EXPECT_EQ(std::ranges::count(cover.items(), Standing::Excluded, &Cover::Item::standing), 4);
}

TEST_F(CoverOf, FaultsAreTakenInTheOrderInWhichTheyAct) {
  has({"activations-ignored", "f-and-g-exchanged"});
  const auto other_functions = [](Case& c) { c.attributes.activations = {"Softsign", "Relu", "Elu"}; };
  for (int k = 0; k < 3; ++k) is_asked(plain);
  for (int k = 0; k < 2; ++k) is_asked(other_functions);
  const Cover cover = found();
  EXPECT_THAT(ids(cover), ElementsAre("activations-ignored", "f-and-g-exchanged"));
  EXPECT_TRUE(explains_all(cover));
}

TEST_F(CoverOf, TheSearchEndsAtItsBounds) {
  has({"rb-ignored", "peepholes-ignored"});
  for (int k = 0; k < 3; ++k)
    is_asked([](Case& c) {
      with_bias(c);
      with_peepholes(c);
    });
  const Cover cover = found({.judgements = 50});
  EXPECT_TRUE(cover.is_cut_short());
  EXPECT_THAT(ids(cover), IsEmpty());
}

}  // namespace
}  // namespace cellproof::causes
