#include "engines/serve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engines/file_descriptor.hpp"
#include "engines/messages.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An engine of which a test says what it does.
class Scripted : public Engine {
 public:
  std::function<Outcome(const Problem&)> does = [](const Problem&) { return Outcome{}; };
  std::vector<Problem> seen;

  EngineDescription describe() override { return {"scripted", "3.2", ContractId::F32Ftz}; }
  Support supports(const Problem& problem) override {
    seen.push_back(problem);
    return {false, "only on Sundays"};
  }
  Outcome run(const Problem& problem) override {
    seen.push_back(problem);
    return does(problem);
  }
};

/// A worker on a thread, and the harness's side of its pipes.
class Conversation {
 public:
  explicit Conversation(Engine& engine)
      : worker_([this, &engine] { code_ = serve(engine, requests_.read_end.number(), replies_.write_end.number()); }) {}
  ~Conversation() { end(); }
  int end() {
    requests_.write_end.close();
    if (worker_.joinable()) worker_.join();
    return code_;
  }
  Frame ask(std::string_view request) {
    while (!request.empty()) request.remove_prefix(write_some(requests_.write_end.number(), request).count);
    for (;;) {
      if (const auto frame = reader_.next()) return *frame;
      const auto room = reader_.space();
      reader_.received(read_some(replies_.read_end.number(), room.data(), room.size()).count);
    }
  }

 private:
  Pipe requests_ = make_pipe(), replies_ = make_pipe();
  FrameReader reader_;
  int code_ = -1;
  std::thread worker_;
};

Outcome ran_with(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

TEST(Serve, TellsWhatTheEngineSaysOfItself) {
  Scripted engine;
  Conversation conversation(engine);
  const auto greeting = read_hello(conversation.ask(hello_request()));
  EXPECT_TRUE(greeting.numbers_answers);
  const EngineDescription& description = greeting.description;
  EXPECT_EQ(description.name, "scripted");
  EXPECT_EQ(description.version, "3.2");
  EXPECT_EQ(description.contract, ContractId::F32Ftz);
  EXPECT_EQ(read_support(conversation.ask(supports_request(testing::small_problem()))).reason, "only on Sundays");
  EXPECT_EQ(conversation.end(), 0);
}

TEST(Serve, TheEngineSeesTheProblemThatWasSent) {
  for (const auto version : all_operator_versions()) {
    if (version.op == Operator::DynamicQuantizeLSTM) continue;
    auto problem = testing::small_problem(version);
    problem.attributes.direction = "reverse";
    Scripted engine;
    engine.does = [](const Problem&) { return ran_with({}); };
    Conversation conversation(engine);
    conversation.ask(run_request(problem).bytes);
    conversation.end();
    EXPECT_THAT(engine.seen, ElementsAre(problem)) << to_string(version);
  }
}

TEST(Serve, OutputsGoBackInTheGraphsOrder) {
  const Tensor y_h = Tensor::from_values(ElementType::Float, {1}, std::vector<double>{2});
  const Tensor y_c = Tensor::from_values(ElementType::Float, {1}, std::vector<double>{3});
  auto problem = testing::small_problem();
  problem.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  Scripted engine;
  engine.does = [&](const Problem&) { return ran_with({std::nullopt, y_h, y_c}); };
  Conversation conversation(engine);
  const auto request = run_request(problem);
  const auto outcome = read_outcome(conversation.ask(request.bytes), request);
  EXPECT_THAT(outcome.outputs, ElementsAre(std::nullopt, y_h, y_c));
  EXPECT_GT(outcome.timings.run, 0);
  EXPECT_TRUE(outcome.misconduct.empty());
}

TEST(Serve, ChangedInputsAreTold) {
  Scripted engine;
  engine.does = [](const Problem& problem) {
    const_cast<Tensor*>(problem.input(input::X))->bytes()[3] ^= std::byte{1};
    return ran_with({});
  };
  Conversation conversation(engine);
  const auto request = run_request(testing::small_problem());
  EXPECT_THAT(read_outcome(conversation.ask(request.bytes), request).misconduct,
              ElementsAre(Misconduct::ChangedInputs));
}

TEST(Serve, RefusalsAndWantOfMemoryAreTold) {
  Scripted engine;
  Conversation conversation(engine);
  const auto request = run_request(testing::small_problem());
  engine.does = [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Rejected;
    outcome.message = "not\xff this";  // no UTF-8, and yet it gets through
    return outcome;
  };
  const auto rejected = read_outcome(conversation.ask(request.bytes), request);
  EXPECT_EQ(rejected.kind, OutcomeKind::Rejected);
  EXPECT_THAT(rejected.message, HasSubstr("not"));
  engine.does = [](const Problem&) -> Outcome { throw std::bad_alloc(); };
  EXPECT_EQ(read_outcome(conversation.ask(request.bytes), request).kind, OutcomeKind::OutOfMemory);
}

TEST(Serve, AModelThatCannotBeReadIsRejected) {
  Scripted engine;
  Conversation conversation(engine);
  const auto bytes = encode({.kind = FrameKind::Run, .json = R"({"inputs":[],"outputs":[]})", .blobs = {"no model"}});
  EXPECT_EQ(read_outcome(conversation.ask(bytes), {}).kind, OutcomeKind::Rejected);
  EXPECT_TRUE(engine.seen.empty());
}

}  // namespace
}  // namespace cellproof::engines
