// Faults that stand in for one another: a made case tells them apart, or all are said.
#include "causes/rivals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "causes/engine_model.hpp"
#include "causes/made_cases.hpp"
#include "causes/testing/asked_engine.hpp"

#include "lab/mutants/mutants.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/resized.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::plain;
using ::testing::SizeIs;
using testing::with_bias;

/// The first row is the shortest: its length for all rows is the shortest for all.
void first_is_shortest(Case& c) {
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {2}, std::vector<double>{1, 3});
}

/// An engine that is asked, and counts how often.
struct Asking {
  explicit Asking(const char* fault) : mutant(*lab::mutants::mutant_named(fault)) {}

  AskEngine ask() {
    return [this](const Problem& problem) -> std::optional<Outputs> {
      ++calls;
      return is_dead ? std::nullopt : std::optional(lab::mutants::run(problem, mutant));
    };
  }

  const lab::mutants::Mutant& mutant;
  std::int64_t calls = 0;
  bool is_dead = false;
};

AskedEngine engine_of(const char* fault, const char* direction = "forward", int times = 2) {
  AskedEngine engine({fault});
  const auto shows_it = [direction](Case& c) {
    first_is_shortest(c);
    c.attributes.direction = direction;
  };
  for (int k = 0; k < times; ++k) EXPECT_FALSE(engine.ask(shows_it).pass);
  EXPECT_TRUE(engine.ask(plain).pass);
  return engine;
}

TEST(RivalsOf, AFaultAreSaidWhereNobodyCanBeAsked) {
  const AskedEngine engine = engine_of("shortest-length-for-all");
  const EngineModel model = model_of(engine.answered());
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_THAT(model.causes.front().faults, ElementsAre("length-of-first-for-all"));
  EXPECT_THAT(model.causes.front().rivals, ElementsAre("shortest-length-for-all"));
  EXPECT_THAT(model.causes.front().title, HasSubstr(" (or: "));
  EXPECT_EQ(model.calls, 0);
}

/// For weights out of the graph runtimes have other kernels, in which a fault need not be.
TEST(RivalsOf, AFaultAreAskedForWithWeightsThatModelsHold) {
  const std::vector<Made> made =
      with_one_more_input(plain_case(newest(Operator::LSTM), ElementType::Float, 3, 2, 2, 4));
  ASSERT_EQ(made.size(), 4U);
  for (const std::size_t weights : {input::B, input::P}) {
    const auto has_them = [weights](const Made& each) { return each.problem.input(weights) != nullptr; };
    const auto found = std::ranges::find_if(made, has_them);
    ASSERT_NE(found, made.end());
    EXPECT_EQ(found->problem.inputs[weights].source, Source::Initializer);
  }
}

TEST(RivalsOf, AFaultAreToldApartByAMadeCase) {
  for (const char* fault : {"shortest-length-for-all", "length-of-first-for-all"}) {
    SCOPED_TRACE(fault);
    const AskedEngine engine = engine_of(fault);
    Asking asking(fault);
    const EngineModel model = model_of(engine.answered(), {}, asking.ask());
    ASSERT_EQ(model.causes.size(), 1U);
    EXPECT_THAT(model.causes.front().faults, ElementsAre(fault));
    EXPECT_THAT(model.causes.front().rivals, IsEmpty());
    EXPECT_EQ(model.causes.front().cases, 2);
    EXPECT_EQ(model.explained, 2);
    EXPECT_EQ(model.calls, asking.calls);
    EXPECT_LE(model.calls, 12);
    EXPECT_GE(model.calls, 1);
  }
}

/// At 0.5, which cases of the suites have, the square is the half.
TEST(RivalsOf, AFaultOfTheClipAreToldApartAtAnotherThreshold) {
  for (const char* fault : {"clip-squared", "clip-halved"}) {
    SCOPED_TRACE(fault);
    AskedEngine engine({fault});
    for (int k = 0; k < 2; ++k) EXPECT_FALSE(engine.ask([](Case& c) { c.attributes.clip = 0.5F; }).pass);
    Asking asking(fault);
    const EngineModel model = model_of(engine.answered(), {}, asking.ask());
    ASSERT_EQ(model.causes.size(), 1U);
    EXPECT_THAT(model.causes.front().faults, ElementsAre(fault));
    EXPECT_THAT(model.causes.front().rivals, IsEmpty());
  }
}

TEST(RivalsOf, AFaultStandWhereTheEngineGivesNothing) {
  const AskedEngine engine = engine_of("shortest-length-for-all");
  Asking asking("shortest-length-for-all");
  asking.is_dead = true;
  const EngineModel model = model_of(engine.answered(), {}, asking.ask());
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_THAT(model.causes.front().rivals, ElementsAre("shortest-length-for-all"));
  EXPECT_EQ(asking.calls, 12) << "and no more";
}

TEST(RivalsOf, AnAnswerThatNoneOfThemGivesSpeaksAgainstAll) {
  const AskedEngine engine = engine_of("shortest-length-for-all");
  Asking other("rb-negated");
  const EngineModel model = model_of(engine.answered(), {}, other.ask());
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_THAT(model.causes.front().faults, IsEmpty());
  EXPECT_EQ(model.explained, 0);
}

TEST(RivalsOf, AFaultWithoutOneIsBorneOutByFewCalls) {
  AskedEngine engine({"rb-ignored"});
  for (int k = 0; k < 2; ++k) engine.ask(with_bias);
  Asking asking("rb-ignored");
  const EngineModel model = model_of(engine.answered(), {}, asking.ask());
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_THAT(model.causes.front().faults, ElementsAre("rb-ignored"));
  EXPECT_THAT(model.causes.front().rivals, IsEmpty());
  EXPECT_GE(asking.calls, 3);
  EXPECT_LE(asking.calls, 6);
}

/// With two rows, the lengths of the next row are the lengths sorted; with more rows they are not.
TEST(RivalsOf, AFaultThatMadeCasesDoNotBearOutIsTakenBack) {
  const AskedEngine engine = engine_of("lengths-of-next-row");
  Asking asking("lengths-of-next-row");
  const Bounds bounds{.tried = oracle::every_fault_but("lengths-of-next-row")};
  EXPECT_THAT(model_of(engine.answered(), bounds).causes.front().faults, ElementsAre("lengths-sorted"));
  const EngineModel model = model_of(engine.answered(), bounds, asking.ask());
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_THAT(model.causes.front().faults, IsEmpty());
  EXPECT_EQ(model.causes.front().cases, 2);
  EXPECT_EQ(model.explained, 0);
}

/// A fault that only explained cases together with one that is taken back has no case left.
TEST(RivalsOf, AFaultIsTakenBackWithTheOneBesideWhichItWasNeeded) {
  AskedEngine engine({"lengths-of-next-row", "rb-ignored"});
  const auto with_both = [](Case& c) {
    first_is_shortest(c);
    with_bias(c);
  };
  for (int k = 0; k < 3; ++k) engine.ask(first_is_shortest);
  for (int k = 0; k < 2; ++k) engine.ask(with_both);
  const FaultSet tried{oracle::fault_named("lengths-sorted"), oracle::fault_named("rb-ignored")};
  EXPECT_THAT(model_of(engine.answered(), {.tried = tried}).faults, SizeIs(2));
  Asking asking("lengths-of-next-row");
  EXPECT_THAT(model_of(engine.answered(), {.tried = tried}, asking.ask()).faults, IsEmpty());
}

/// Two faults that do together what the engine does but in one place: what is left open there is about B as well.
TEST(RivalsOf, APairIsTakenBackWhereWhatItLeavesOpenIsAboutItsAxes) {
  AskedEngine engine({"rb-for-wb"});
  constexpr int enough = 48;  // that what is open beside the pair does not speak against it by its number
  for (int k = 0; k < enough; ++k) engine.ask(with_bias);
  const auto with_linear_reset = [](Case& c) {
    with_bias(c);
    c.attributes.linear_before_reset = 1;
    c = resized(c, "T", 20);  // pairs are tried on the smallest case
  };
  for (int k = 0; k < 2; ++k) EXPECT_FALSE(engine.ask(with_linear_reset, Operator::GRU).pass);
  const FaultSet tried{oracle::fault_named("wb-ignored"), oracle::fault_named("bias-doubled")};
  const EngineModel unasked = model_of(engine.answered(), {.tried = tried});
  EXPECT_THAT(unasked.faults, SizeIs(2));
  EXPECT_EQ(unasked.explained, enough);
  Asking asking("rb-for-wb");
  EXPECT_THAT(model_of(engine.answered(), {.tried = tried}, asking.ask()).faults, IsEmpty());
}

/// Without W no cell state comes up from zero, whichever of the gates go without.
TEST(RivalsOf, AFaultThatLeavesMuchOpenIsPutToTheTestWithMoreInputs) {
  AskedEngine engine({"input-weights-ignored"});
  engine.ask(plain);
  engine.ask(plain);
  engine.ask(with_bias);
  engine.ask(with_state);
  const FaultSet tried{oracle::fault_named("w-of-gate-c-ignored")};
  Asking asking("input-weights-ignored"), as_named("w-of-gate-c-ignored");
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}).explained, 2);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, asking.ask()).explained, 0);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, as_named.ask()).explained, 2)
      << "what else is wrong speaks not against it";
}

/// A corner says that the engine is right beyond it, so it is asked there.
TEST(RivalsOf, ACornerIsTakenBackWhereTheEngineIsWrongBeyondIt) {
  AskedEngine engine({"rb-ignored"});
  for (int k = 0; k < 3; ++k) engine.ask(with_bias);
  const FaultSet tried{oracle::fault_named("rb-ignored@no-initial-h")};
  ASSERT_NE(tried.front(), nullptr);
  Asking asking("rb-ignored"), as_named("rb-ignored@no-initial-h");
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}).explained, 3);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, asking.ask()).explained, 0);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, as_named.ask()).explained, 3);
}

/// A plain case is forward: beyond the scope it would say nothing.
TEST(RivalsOf, AFaultIsPutToTheTestInItsScope) {
  const AskedEngine engine = engine_of("lengths-of-next-row", "reverse", 4);
  AskedEngine right({});
  for (int k = 0; k < 9; ++k) right.ask(first_is_shortest);
  std::vector<Answered> answers = engine.answered();
  answers.insert(answers.end(), right.answered().begin(), right.answered().end());
  const FaultSet tried{oracle::fault_named("lengths-sorted")};
  const EngineModel unasked = model_of(answers, {.tried = tried});
  EXPECT_EQ(unasked.explained, 4);
  EXPECT_EQ(unasked.causes.front().scope, "reverse");
  Asking asking("lengths-of-next-row");
  EXPECT_EQ(model_of(answers, {.tried = tried}, asking.ask()).explained, 0);
}

/// One case says too little of where a fault holds, so it is asked again, as is what speaks against the fault.
TEST(RivalsOf, AFaultOfOneCaseIsTakenWhereMoreOfThemShowIt) {
  AskedEngine in_lstm({"rb-ignored"}), right({});
  in_lstm.ask(with_bias);
  right.ask(with_bias, Operator::GRU);
  std::vector<Answered> answers = in_lstm.answered();
  answers.push_back(right.answered().front());
  const FaultSet tried{oracle::fault_named("rb-ignored")};
  EXPECT_EQ(model_of(answers, {.tried = tried}).explained, 0);
  const auto as_once = [](const Problem& problem) -> std::optional<Outputs> {
    return problem.version.op == Operator::LSTM ? lab::mutants::run(problem, *lab::mutants::mutant_named("rb-ignored"))
                                                : lab::mutants::run_without_fault(problem);
  };
  const EngineModel model = model_of(answers, {.tried = tried}, as_once);
  ASSERT_EQ(model.causes.size(), 1U);
  EXPECT_EQ(model.causes.front().scope, "LSTM");
  EXPECT_EQ(model.causes.front().cases, 1) << "what was made is no case of the run";
  EXPECT_EQ(model.failing, 1);
  const auto never_again = [](const Problem& problem) -> std::optional<Outputs> {
    return lab::mutants::run_without_fault(problem);
  };
  EXPECT_EQ(model_of(answers, {.tried = tried}, never_again).explained, 0);
}

/// Another call may find another number behind the zero points.
TEST(RivalsOf, AFaultOfMemoryIsNotTakenBack) {
  AskedEngine engine({"zero-point-behind-the-last"});
  for (int k = 0; k < 2; ++k) {
    const Finding& finding = engine.ask(
        [](Case& c) {
          c = parse_case(
              "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=3 N=2 I=4 H=5 direction=bidirectional "
              "W_scale=given,shape:2x20");
        },
        Operator::DynamicQuantizeLSTM);
    EXPECT_FALSE(finding.pass);
  }
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  Asking other("rb-negated");
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, other.ask()).explained, 2);
}

/// The search may end before any rival is looked for. What it has taken is put to the test all the same.
TEST(RivalsOf, AFaultIsPutToTheTestThoughTheSearchWasEndedEarly) {
  const AskedEngine engine = engine_of("lengths-of-next-row");
  Asking asking("lengths-of-next-row");
  const FaultSet tried{oracle::fault_named("lengths-sorted")};
  EXPECT_FALSE(model_of(engine.answered(), {.tried = tried}).is_cut_short);
  const Bounds bounds{.judgements = 1, .tried = tried};
  EXPECT_EQ(model_of(engine.answered(), bounds).explained, 2);
  const EngineModel model = model_of(engine.answered(), bounds, asking.ask());
  EXPECT_TRUE(model.is_cut_short);
  EXPECT_EQ(model.explained, 0);
  EXPECT_GT(asking.calls, 0);
}

/// With other numbers of rows and steps than the cases that show it.
TEST(RivalsOf, AFaultIsPutToTheTestOnItsOwnAxesAlone) {
  AskedEngine engine({"activation-g-ignored"});
  const auto with_g = [](const char* g) {
    return [g](Case& c) { c.attributes.activations = {{"Sigmoid", g, "Tanh"}}; };
  };
  const auto with_both = [](Case& c) { c.attributes.activations = {{"Sigmoid", "Softsign", "Relu"}}; };
  for (int k = 0; k < 3; ++k) engine.ask(with_g("Relu"));
  engine.ask(with_both);
  Asking asking("activation-g-ignored");
  const FaultSet tried{oracle::fault_named("relu-as-tanh")};
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}).explained, 3);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, asking.ask()).explained, 0);
}

/// A defect of all that is computed in double speaks for no fault and against none.
TEST(RivalsOf, CasesOfWhichThePlainOneFailsSayNothing) {
  AskedEngine in_float({"rb-ignored"}), in_double({"gate-order-cfio"});
  in_float.ask(with_bias);
  in_double.ask([](Case& c) {
    c.type = ElementType::Double;
    with_bias(c);
  });
  std::vector<Answered> answered = in_float.answered();
  answered.push_back(in_double.answered().front());
  const auto ask = [](const Problem& problem) -> std::optional<Outputs> {
    const bool is_double = problem.inputs[input::X].tensor->type() == ElementType::Double;
    return lab::mutants::run(problem, *lab::mutants::mutant_named(is_double ? "gate-order-cfio" : "rb-ignored"));
  };
  const FaultSet tried{oracle::fault_named("rb-ignored")};
  EXPECT_EQ(model_of(answered, {.tried = tried}, ask).explained, 1);
  // An engine that is wrong at everything bears no fault out.
  const auto is_always_wrong = [](const Problem& problem) -> std::optional<Outputs> {
    return lab::mutants::run(problem, *lab::mutants::mutant_named("gate-order-cfio"));
  };
  EXPECT_EQ(model_of(answered, {.tried = tried}, is_always_wrong).explained, 0);
}

/// Another defect may show on the axes that the fault is put to the test on. Where that leaves as many cases open as
/// the fault explains, it may as well be one defect that looks like the fault now and then.
TEST(RivalsOf, AnotherDefectOnTheFaultsAxesSpeaksNotAgainstIt) {
  AskedEngine engine({"relu-as-tanh", "leaky-relu-as-relu"});
  const auto with = [](const char* f, const char* g) {
    return [f, g](Case& c) { c.attributes.activations = {{f, g, "Tanh"}}; };
  };
  for (int k = 0; k < 2; ++k) EXPECT_FALSE(engine.ask(with("Sigmoid", "Relu")).pass);
  EXPECT_FALSE(engine.ask(with("LeakyRelu", "Relu")).pass);
  const lab::mutants::Composite faults{lab::mutants::mutant_named("relu-as-tanh"),
                                       lab::mutants::mutant_named("leaky-relu-as-relu")};
  const auto ask = [&](const Problem& problem) -> std::optional<Outputs> { return lab::mutants::run(problem, faults); };
  const FaultSet tried{oracle::fault_named("relu-as-tanh")};
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, ask).explained, 2);
  EXPECT_FALSE(engine.ask(with("LeakyRelu", "Relu")).pass);
  EXPECT_EQ(model_of(engine.answered(), {.tried = tried}, ask).explained, 0);
}

}  // namespace
}  // namespace cellproof::causes
