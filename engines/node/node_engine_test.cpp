// A problem as the C node that our libraries take, and what their statuses come to; the library here is a script.
#include "engines/node/node_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engines/node/node_description.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;

/// Answers prepare and run with what it was told, and writes the number of the run into Y.
struct Script {
  cellproof_status of_prepare = CELLPROOF_OK, of_run = CELLPROOF_OK;
  std::string message = {};
  bool repeats = true;
  int prepared = 0, run = 0, released = 0;
};

void say(const std::string& text, std::span<char> message) {
  message[text.copy(message.data(), message.size() - 1)] = '\0';
}

class ScriptedPlan : public NodePlan {
 public:
  explicit ScriptedPlan(Script& script) : script_(script) {}
  ScriptedPlan(const ScriptedPlan&) = delete;
  ScriptedPlan& operator=(const ScriptedPlan&) = delete;
  ~ScriptedPlan() override { ++script_.released; }
  cellproof_status run(const void* const*, void* const* outputs, std::span<char> message) override {
    ++script_.run;
    static_cast<float*>(outputs[CELLPROOF_Y])[0] = script_.repeats ? 1.0F : static_cast<float>(script_.run);
    say(script_.message, message);
    return script_.of_run;
  }

 private:
  Script& script_;
};

class ScriptedEngine : public NodeEngine {
 public:
  explicit ScriptedEngine(Script& script, int runs = 1) : NodeEngine(runs), script_(script) {}
  EngineDescription describe() override { return {"scripted", "1", std::nullopt}; }

 private:
  cellproof_status prepare(const cellproof_node&, std::unique_ptr<NodePlan>& plan, std::span<char> message) override {
    ++script_.prepared;
    say(script_.message, message);
    if (script_.of_prepare == CELLPROOF_OK) plan = std::make_unique<ScriptedPlan>(script_);
    return script_.of_prepare;
  }
  bool is_a_known_limit(const std::string& reason) const override { return reason == "known"; }

  Script& script_;
};

TEST(NodeEngine, GivesTheOutputsThatAreAskedForAndReleasesThePlan) {
  Script script;
  Problem problem = testing::small_problem();
  problem.outputs = {Presence::Given};
  const Outcome outcome = ScriptedEngine(script).run(problem);
  EXPECT_EQ(outcome.kind, OutcomeKind::Ran);
  ASSERT_EQ(outcome.outputs.size(), 1U);
  EXPECT_THAT(outcome.outputs[0]->shape(), ElementsAre(3, 1, 2, 5));
  EXPECT_EQ(outcome.outputs[0]->value(0), 1);
  EXPECT_TRUE(outcome.misconduct.empty());
  EXPECT_EQ(script.run, 1);
  EXPECT_EQ(script.released, 1);
}

TEST(NodeEngine, HasAnOutcomeForEveryStatusThatACaseCanHave) {
  for (const bool in_run : {false, true})
    for (const auto& [status, kind] : {std::pair{CELLPROOF_INVALID, OutcomeKind::Rejected},
                                       {CELLPROOF_OUT_OF_MEMORY, OutcomeKind::OutOfMemory},
                                       {CELLPROOF_NOT_SUPPORTED, OutcomeKind::NotSupported}}) {
      Script script{.of_prepare = in_run ? CELLPROOF_OK : status, .of_run = status, .message = "known"};
      const Outcome outcome = ScriptedEngine(script).run(testing::small_problem());
      EXPECT_EQ(outcome.kind, kind);
      EXPECT_EQ(outcome.message, "known");
      EXPECT_TRUE(outcome.outputs.empty());
      EXPECT_EQ(script.released, in_run ? 1 : 0);
    }
}

TEST(NodeEngine, ThrowsWhereTheMachineFailsOrARefusalIsUnexplained) {
  for (const auto status : {CELLPROOF_UNAVAILABLE, CELLPROOF_FAILED, CELLPROOF_NOT_SUPPORTED}) {
    Script script{.of_run = status, .message = "unheard of"};
    ScriptedEngine engine(script);
    EXPECT_THROW(engine.run(testing::small_problem()), std::runtime_error) << status;
    EXPECT_EQ(script.released, 1);
  }
}

TEST(NodeEngine, ComparesTheRunsOfAPlan) {
  for (const bool repeats : {true, false}) {
    Script script{.repeats = repeats};
    const Outcome outcome = ScriptedEngine(script, 3).run(testing::small_problem());
    EXPECT_EQ(script.run, 3);
    EXPECT_EQ(script.prepared, 1);
    EXPECT_EQ(outcome.misconduct.empty(), repeats);
  }
}

TEST(NodeEngine, RefusesWhatTheVersionDoesNotHaveBeforeTheLibraryIsAsked) {
  Script script;
  Problem problem = testing::small_problem({Operator::LSTM, 7});
  problem.attributes.layout = 0;
  const Outcome outcome = ScriptedEngine(script).run(problem);
  EXPECT_EQ(outcome.kind, OutcomeKind::Rejected);
  EXPECT_EQ(script.prepared, 0);
}

TEST(NodeDescription, HasNothingThatIsNotWritten) {
  Problem problem = testing::small_problem();
  problem.attributes = {};
  const NodeDescription description(problem);
  const cellproof_node& node = description.node();
  EXPECT_EQ(node.op, CELLPROOF_LSTM);
  EXPECT_EQ(node.direction, nullptr);
  EXPECT_EQ(node.activations.names, nullptr);
  EXPECT_EQ(node.activation_alpha.count + node.activation_beta.count, 0U);
  EXPECT_FALSE(node.has_clip != 0 || node.has_hidden_size != 0);
  EXPECT_EQ(node.inputs[CELLPROOF_P].type, CELLPROOF_NONE);
}

TEST(NodeDescription, HasEveryAttributeThatIsWritten) {
  Problem problem = testing::small_problem();
  problem.attributes.direction = "reverse";
  problem.attributes.activations = {"Elu", "Tanh", "Tanh"};
  problem.attributes.activation_alpha = {0.5F};
  problem.attributes.clip = 3.0F;
  problem.attributes.hidden_size = 5;
  problem.attributes.input_forget = 1;
  problem.attributes.layout = 1;
  const NodeDescription description(problem);
  const cellproof_node& node = description.node();
  EXPECT_STREQ(node.direction, "reverse");
  ASSERT_EQ(node.activations.count, 3U);
  EXPECT_STREQ(node.activations.names[0], "Elu");
  ASSERT_EQ(node.activation_alpha.count, 1U);
  EXPECT_EQ(node.activation_alpha.values[0], 0.5F);
  EXPECT_TRUE(node.has_clip == 1 && node.clip == 3);
  EXPECT_TRUE(node.has_hidden_size == 1 && node.hidden_size == 5);
  EXPECT_TRUE(node.input_forget == 1 && node.layout == 1);
  problem.attributes.activations = std::vector<std::string>{};
  const NodeDescription empty(problem);
  EXPECT_NE(empty.node().activations.names, nullptr) << "an empty list is written";
  EXPECT_EQ(empty.node().activations.count, 0U);
}

TEST(NodeDescription, GivesInitializersWithTheNodeAndTheRestWithTheRun) {
  const Problem problem = testing::small_problem({Operator::GRU, 22}, ElementType::BFloat16);
  const NodeDescription description(problem);
  const cellproof_node& node = description.node();
  EXPECT_EQ(node.op, CELLPROOF_GRU);
  EXPECT_EQ(node.inputs[CELLPROOF_X].type, CELLPROOF_BFLOAT16);
  EXPECT_EQ(node.inputs[CELLPROOF_X].rank, 3);
  EXPECT_EQ(node.inputs[CELLPROOF_X].shape[2], 4);
  EXPECT_EQ(node.inputs[CELLPROOF_X].data, nullptr);
  EXPECT_EQ(description.data()[CELLPROOF_X], problem.input(input::X)->bytes().data());
  EXPECT_EQ(node.inputs[CELLPROOF_W].data, problem.input(input::W)->bytes().data());
  EXPECT_EQ(description.data()[CELLPROOF_W], nullptr);
}

}  // namespace
}  // namespace cellproof::engines
