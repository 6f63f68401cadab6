#include "engines/messages.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "corpus/model.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// The frame in some bytes, which must hold one.
class OneFrame {
 public:
  explicit OneFrame(const std::string& bytes) {
    const auto room = reader_.space();
    std::memcpy(room.data(), bytes.data(), bytes.size());
    reader_.received(bytes.size());
    frame_ = reader_.next().value();
  }
  const Frame& operator*() const { return frame_; }
  const Frame* operator->() const { return &frame_; }

 private:
  FrameReader reader_;
  Frame frame_;
};

std::string complaint_about(const Frame& reply, const RunRequest& request = {}) {
  try {
    read_outcome(reply, request);
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "";
}

TEST(Messages, Crc32IsZlibs) {
  EXPECT_EQ(crc32(std::as_bytes(std::span("123456789", 9))), 0xcbf43926u);  // the check value of the catalogues
  EXPECT_EQ(crc32({}), 0u);
}

TEST(Messages, ARunCarriesModelNamesAndGraphInputs) {
  auto problem = testing::small_problem();
  problem.inputs.resize(6);
  problem.inputs[3].presence = problem.inputs[4].presence = Presence::Empty;
  problem.inputs[5] = {Presence::Given, Source::GraphInput, Tensor(ElementType::Float, {1, 2, 5})};
  problem.outputs = {Presence::Empty, Presence::Given};
  const auto request = run_request(problem);
  const OneFrame frame(request.bytes);
  EXPECT_EQ(frame->kind, FrameKind::Run);
  EXPECT_EQ(frame->json,
            fmt::format(R"({{"number":{},"inputs":["X","initial_h"],"outputs":["Y_h"]}})", request.number));
  ASSERT_THAT(frame->blobs, SizeIs(3));
  const auto node = corpus::from_model(frame->blobs[0], "the model");
  EXPECT_THAT(node.graph_inputs, ElementsAre("X", "initial_h"));
  EXPECT_THAT(node.graph_outputs, ElementsAre("Y_h"));
  EXPECT_EQ(corpus::from_tensor_proto(frame->blobs[1], "X"), *problem.input(input::X));
  EXPECT_EQ(corpus::from_tensor_proto(frame->blobs[2], "initial_h"), *problem.input(input::initial_h));
  EXPECT_THAT(request.asked, ElementsAre(1u));
  EXPECT_THAT(request.inputs_crc32,
              ElementsAre(crc32(problem.input(input::X)->bytes()), crc32(problem.input(input::initial_h)->bytes())));
}

TEST(Messages, HelloIsRead) {
  const auto hello = [](std::string_view json) {
    return read_hello({.kind = FrameKind::HelloReply, .json = json, .blobs = {}});
  };
  const auto full = hello(R"({"protocol":1,"name":"n","version":"2.0","contract":"tf32"})");
  EXPECT_EQ(full.description.name, "n");
  EXPECT_EQ(full.description.version, "2.0");
  EXPECT_EQ(full.description.contract, ContractId::Tf32);
  EXPECT_FALSE(full.numbers_answers);
  EXPECT_FALSE(hello(R"({"protocol":1,"name":"n","version":"2.0"})").description.contract);
  EXPECT_TRUE(hello(R"({"protocol":1,"name":"n","version":"2.0","numbered":true})").numbers_answers);
  EXPECT_THROW(hello(R"({"protocol":1,"numbered":1})"), ProtocolError);
  EXPECT_FALSE(hello(R"({"protocol":1,"name":"n","version":"2.0"})").description.same_bits);
  EXPECT_TRUE(hello(R"({"protocol":1,"name":"n","version":"2.0","same_bits":true})").description.same_bits);
  EXPECT_THROW(hello(R"({"protocol":1,"same_bits":"yes"})"), ProtocolError);
  EXPECT_THROW(hello(R"({"protocol":2})"), Incompatible);
  EXPECT_THROW(hello(R"({"protocol":1,"contract":"none such"})"), Incompatible);
  EXPECT_THROW(hello(R"({"protocol":"1"})"), ProtocolError);
  EXPECT_THROW(hello(R"({"protocol":1,"name":7})"), ProtocolError);
  EXPECT_THROW(hello("[]"), ProtocolError);
  EXPECT_THROW(read_hello({.kind = FrameKind::Ran, .json = "{}", .blobs = {}}), ProtocolError);
}

TEST(Messages, SupportIsRead) {
  const auto support = [](std::string_view json) {
    return read_support({.kind = FrameKind::SupportsReply, .json = json, .blobs = {}});
  };
  EXPECT_TRUE(support(R"({"supported":true})").supported);
  EXPECT_EQ(support(R"({"supported":false,"reason":"no\nkernel"})").reason, "no kernel");
  EXPECT_THROW(support(R"({"supported":1})"), ProtocolError);
}

TEST(Messages, OutcomesAreReadWithTimingsAndMisconduct) {
  RunRequest request;
  request.inputs_crc32 = {7, 4294967295};
  const auto outcome = [&](std::string_view json) {
    return read_outcome({.kind = FrameKind::Ran, .json = json, .blobs = {}}, request);
  };
  const auto timed = outcome(R"({"timings":{"prepare":1,"run":0.5,"release":1e-3},"inputs_crc32":[7,4294967295]})");
  EXPECT_EQ(timed.kind, OutcomeKind::Ran);
  EXPECT_EQ(timed.timings.prepare, 1);
  EXPECT_EQ(timed.timings.run, 0.5);
  EXPECT_EQ(timed.timings.release, 1e-3);
  EXPECT_TRUE(timed.misconduct.empty());
  EXPECT_THAT(outcome(R"({"inputs_crc32":[7,1]})").misconduct, ElementsAre(Misconduct::ChangedInputs));
  EXPECT_TRUE(outcome("{}").misconduct.empty());
}

TEST(Messages, AnAnswerSaysWhichRequestItBelongsTo) {
  const auto number = [](std::string_view json) {
    return number_of({.kind = FrameKind::Ran, .json = json, .blobs = {}});
  };
  EXPECT_EQ(number(R"({"number":5})"), 5u);
  for (const char* const none : {"{}", R"({"number":-5})", R"({"number":"5"})", "[5]", "nonsense"})
    EXPECT_EQ(number(none), std::nullopt) << none;
  EXPECT_NE(run_request(testing::small_problem()).number, run_request(testing::small_problem()).number);
}

TEST(Messages, AComplaintQuotesNothingThatDiffersFromCallToCall) {
  const auto complaint =
      complaint_about({.kind = FrameKind::Rejected,
                       .json = R"({"number":7,"printed":3,"timings":{"run":0.25},"message":["no text"]})",
                       .blobs = {}});
  EXPECT_THAT(complaint, HasSubstr(R"(answered {"message":["no text"]} (kind 133))"));
}

TEST(Messages, WhatIsNoOutcomeIsRefused) {
  RunRequest request;
  request.inputs_crc32 = {7};
  const auto complaint = [&](std::string_view json) {
    return complaint_about({.kind = FrameKind::Ran, .json = json, .blobs = {}}, request);
  };
  EXPECT_THAT(complaint("nonsense"), HasSubstr("no object"));
  EXPECT_THAT(complaint(R"({"timings":3})"), HasSubstr("timings must be an object"));
  EXPECT_THAT(complaint(R"({"timings":{"run":"1"}})"), HasSubstr("timings.run must be seconds"));
  EXPECT_THAT(complaint(R"({"timings":{"run":1e300}})"), HasSubstr("timings.run must be seconds"));
  EXPECT_THAT(complaint(R"({"inputs_crc32":[]})"), HasSubstr("an array of 1"));
  EXPECT_THAT(complaint(R"({"inputs_crc32":[-1]})"), HasSubstr("unsigned"));
  EXPECT_THAT(complaint_about({.kind = FrameKind::Rejected, .json = "{}", .blobs = {"x"}}),
              HasSubstr("it carries outputs"));
  EXPECT_THAT(complaint_about({.kind = FrameKind::Hello, .json = "{}", .blobs = {}}),
              HasSubstr("reply to RUN was due"));
  EXPECT_THAT(complaint_about({.kind = FrameKind::Ran, .json = "{}", .blobs = {"\xff\xff"}}), HasSubstr("output 0"));
}

}  // namespace
}  // namespace cellproof::engines
