#include "causes/outweighed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "causes/engine_model.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using testing::reduce_to;

/// An unknown fault of the clip looks like one of the catalogue in `double`.
TEST(Outweighed, AFaultIsNotNamedWhereMoreIsOpenAboutTheSameAxis) {
  AskedEngine known({"clip-ignored"}), unknown({"clip-squared"}), right({});
  const auto clipped = [](const char* type) {
    return [type](Case& c) {
      c = parse_case("cellproof-case/1 op=" + to_string(c.version) + " type=" + type +
                     " T=3 N=2 I=2 H=4 clip=0.5 B=given seed=" + std::to_string(c.seed));
    };
  };
  std::vector<Answered> answered;
  std::vector<Finding*> open;
  for (int k = 0; k < 4; ++k) known.ask(clipped("double"), Operator::RNN);
  for (int k = 0; k < 3; ++k) open.push_back(&unknown.ask(clipped("float")));
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(right.ask(clipped("float")).pass) << "no clip is ignored in float";
  for (Finding* finding : open) finding->axes = axis_values(parse_case(finding->case_line));
  for (const AskedEngine* engine : {&known, &unknown, &right})
    answered.insert(answered.end(), engine->answered().begin(), engine->answered().end());
  const FaultSet tried{oracle::fault_named("clip-ignored@double")};
  const auto named = [&] { return model_of(answered, {.tried = tried}).faults; };
  EXPECT_EQ(named(), tried) << "nobody has reduced what is open";
  reduce_to(*open.front(), {{"clip", "biting"}, {"input.B", "initializer"}});
  EXPECT_EQ(named(), tried) << "it is about the bias, too";
  reduce_to(*open.front(), {{"clip", "biting"}});
  EXPECT_THAT(named(), ::testing::IsEmpty());
  open[1]->axes.clear();
  EXPECT_THAT(named(), ::testing::IsEmpty()) << "half as many cases are open as it explains";
  open[2]->axes.clear();
  EXPECT_EQ(named(), tried) << "fewer are";
}

/// Anything that is wrong with plain nodes of an operator is wrong with the others, too.
TEST(Outweighed, AFaultIsNotNamedWherePlainCasesOfItsOperatorAreOpen) {
  const auto named_beside = [](Operator op, std::size_t plain_cases) {
    AskedEngine known({"rb-ignored"}), unknown({"initial-h-ignored"});
    known.ask(testing::with_bias);
    for (std::size_t k = 0; k < plain_cases; ++k) reduce_to(unknown.ask(testing::with_state, op), {{"T", "1"}});
    std::vector<Answered> answered = known.answered();
    answered.insert(answered.end(), unknown.answered().begin(), unknown.answered().end());
    return model_of(answered, {.tried = {oracle::fault_named("rb-ignored")}}).faults.size();
  };
  EXPECT_EQ(named_beside(Operator::LSTM, 0), 1);
  EXPECT_EQ(named_beside(Operator::LSTM, 1), 0);
  EXPECT_EQ(named_beside(Operator::RNN, 1), 1) << "of another operator";
}

/// Both engines asked, and what the model names of the faults that are tried.
std::size_t named_of(const AskedEngine& unknown, const AskedEngine& right, std::initializer_list<const char*> tried) {
  std::vector<Answered> answered = unknown.answered();
  answered.insert(answered.end(), right.answered().begin(), right.answered().end());
  FaultSet faults;
  for (const char* id : tried) faults.push_back(oracle::fault_named(id));
  return model_of(answered, {.tried = faults}).faults.size();
}

AskedEngine::Change with_functions(const std::vector<std::string>& functions) {
  return [functions](Case& c) { c.attributes.activations = functions; };
}

/// Whatever the functions, gate h takes that of the others: where it is Tanh, Tanh looks wrong.
TEST(Outweighed, AFaultIsNotNamedThatBeginsWhereSomethingUnknownEnds) {
  const auto named_beside = [](int open, int right_cases) {
    AskedEngine unknown({"gate-h-takes-f"}), right({});
    for (int k = 0; k < 12; ++k) EXPECT_FALSE(unknown.ask(testing::plain, Operator::GRU).pass);
    for (int k = 0; k < open; ++k) EXPECT_FALSE(unknown.ask(with_functions({"Sigmoid", "Relu"}), Operator::GRU).pass);
    for (int k = 0; k < right_cases; ++k)
      EXPECT_TRUE(right.ask(with_functions({"Sigmoid", "Relu"}), Operator::GRU).pass);
    return named_of(unknown, right, {"tanh-as-sigmoid"});
  };
  EXPECT_EQ(named_beside(8, 0), 0);
  EXPECT_EQ(named_beside(7, 0), 1) << "few are open";
  EXPECT_EQ(named_beside(8, 1), 1) << "one of nine is right";
}

/// Without R an RNN keeps nothing, as if it began anew with each step. The others keep more than h.
TEST(Outweighed, AFaultIsNotNamedThatMostOperatorsLeaveOpen) {
  const auto named_beside = [](std::initializer_list<Operator> others) {
    AskedEngine unknown({"recurrent-weights-ignored"}), right({});
    for (int k = 0; k < 6; ++k) EXPECT_FALSE(unknown.ask(testing::plain, Operator::RNN).pass);
    for (const Operator op : others)
      for (int k = 0; k < 4; ++k) EXPECT_FALSE(unknown.ask(testing::plain, op).pass);
    return named_of(unknown, right, {"state-reset-every-1"});
  };
  EXPECT_EQ(named_beside({Operator::LSTM, Operator::GRU}), 0);
  EXPECT_EQ(named_beside({Operator::LSTM}), 1) << "of as many it explains most";
}

/// Two gates exchanged by two faults, of which neither shows alone, do what coupled gates do, but for peepholes.
TEST(Outweighed, FaultsThatNothingShowsAloneAreNotNamedWhereMuchIsOpen) {
  const auto named_beside = [](int open) {
    AskedEngine unknown({"always-coupled"}), right({});
    for (int k = 0; k < 40; ++k) EXPECT_FALSE(unknown.ask(testing::plain).pass);
    for (int k = 0; k < open; ++k) EXPECT_FALSE(unknown.ask(testing::with_peepholes).pass);
    return named_of(unknown, right, {"weights-of-gate-i-for-f", "forget-gate-complemented"});
  };
  EXPECT_EQ(named_beside(1), 2);
  EXPECT_EQ(named_beside(2), 0) << "a twentieth is open";
}

/// Elu whose alpha is 0 unless it is given is Relu in some cases, and these fall into no scope.
TEST(Outweighed, AFaultIsNotNamedInAScopeBeyondWhichItExplainsAsMuch) {
  const auto named_beside = [](int open) {
    AskedEngine unknown({"elu-default-zero"}), right({});
    const auto with_alpha = [](Case& c) {
      c.attributes.activations = {"Sigmoid", "Elu"};
      c.attributes.activation_alpha = {0.5F};
    };
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(unknown.ask(with_functions({"Elu"}), Operator::RNN).pass);
    for (int k = 0; k < open; ++k) EXPECT_FALSE(unknown.ask(with_functions({"Sigmoid", "Elu"}), Operator::GRU).pass);
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(right.ask(with_alpha, Operator::GRU).pass);
    return named_of(unknown, right, {"elu-as-relu"});
  };
  EXPECT_EQ(named_beside(2), 1);
  EXPECT_EQ(named_beside(3), 0);
}

}  // namespace
}  // namespace cellproof::causes
