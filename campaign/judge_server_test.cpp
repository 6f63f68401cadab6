// The judge's protocol, byte by byte; python/tests/judging_test.py asks it what a user asks.
#include "campaign/judge_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "campaign/case_line.hpp"
#include "corpus/model.hpp"
#include "engines/file_descriptor.hpp"
#include "engines/protocol.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::campaign {
namespace {

using engines::Frame;
using engines::FrameKind;
using ::testing::HasSubstr;

const std::string case_text = "cellproof-case/1 op=LSTM-22 type=float T=2 N=1 I=2 H=3";

struct Reply {
  FrameKind kind;
  std::string json;
  std::vector<std::string> parts;
};

/// All replies to the requests.
std::vector<Reply> replies_to(const std::vector<Frame>& asked) {
  engines::Pipe requests = engines::make_pipe(), replies = engines::make_pipe();
  for (const Frame& frame : asked) {
    const std::string bytes = engines::encode(frame);
    EXPECT_EQ(engines::write_some(requests.write_end.number(), bytes).count, bytes.size());
  }
  requests.write_end.close();
  serve_judgements(requests.read_end.number(), replies.write_end.number());
  replies.write_end.close();
  std::vector<Reply> all;
  engines::FrameReader reader;
  for (;;) {
    while (const auto frame = reader.next())
      all.push_back({frame->kind, std::string(frame->json), {frame->blobs.begin(), frame->blobs.end()}});
    const auto room = reader.space();
    const auto got = engines::read_some(replies.read_end.number(), room.data(), room.size());
    if (got.what == engines::Transfer::Closed) return all;
    reader.received(got.count);
  }
}

Frame frame(FrameKind kind, const std::string& json, std::vector<std::string_view> parts = {}) {
  return {.kind = kind, .json = json, .blobs = std::move(parts)};
}

const std::string a_case = "{\"case\":\"" + case_text + "\"}";

TEST(JudgeServer, GreetsListsMakesAndEnds) {
  const std::string suite = R"({"suite":"onnx-backend"})";
  const auto replies =
      replies_to({frame(FrameKind::Hello, "{}"), frame(FrameKind::List, suite), frame(FrameKind::Make, a_case),
                  frame(FrameKind::Bye, "{}"), frame(FrameKind::Hello, "{}")});
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[0].kind, FrameKind::HelloReply);
  EXPECT_THAT(replies[0].json, HasSubstr(R"("protocol":1)"));
  EXPECT_EQ(replies[1].kind, FrameKind::Listed);
  EXPECT_THAT(replies[1].parts.at(0), HasSubstr(R"("name":"test_lstm_batchwise")"));
  EXPECT_EQ(replies[2].kind, FrameKind::Run);
  EXPECT_EQ(corpus::from_model(replies[2].parts.at(0), "the model").graph_inputs, std::vector<std::string>{"X"});
}

TEST(JudgeServer, HasACaseRunAndJudgesTheAnswer) {
  const std::string gap = R"({"message":"no LSTM"})";
  const auto replies =
      replies_to({frame(FrameKind::Try, a_case), frame(FrameKind::NotSupported, gap), frame(FrameKind::Try, a_case),
                  frame(FrameKind::Bye, "{}"), frame(FrameKind::Try, a_case)});
  ASSERT_EQ(replies.size(), 5U);
  EXPECT_EQ(replies[0].kind, FrameKind::Run);
  EXPECT_EQ(replies[1].kind, FrameKind::Judged);
  EXPECT_THAT(replies[1].json, HasSubstr(R"("outcome":"NOT_SUPPORTED","outcome_message":"no LSTM")"));
  EXPECT_EQ(replies[3].kind, FrameKind::Refused) << "a trial given up";
  EXPECT_EQ(replies[4].kind, FrameKind::Run) << "and the next one, whose asker goes";
}

TEST(JudgeServer, JudgesOutputsByNameAndByPlace) {
  const Problem problem = make_problem(case_of_line(case_text));
  const std::string model = corpus::to_model(problem);
  const std::string x = corpus::to_tensor_proto(*problem.input(input::X), "");
  std::vector<std::string> outputs;
  for (const auto& output : engines::testing::reference_outputs(problem))
    outputs.push_back(corpus::to_tensor_proto(*output, ""));
  const std::string named = R"({"inputs":["X"],"outputs":["Y_c","Y"]})",
                    placed = R"({"inputs":[""],"outputs":["","",""]})";
  const auto replies = replies_to({frame(FrameKind::Judge, named, {model, x, outputs[2], outputs[0]}),
                                   frame(FrameKind::Judge, placed, {model, x, outputs[0], outputs[1], outputs[2]}),
                                   frame(FrameKind::Judge, placed, {model, x, outputs[0], outputs[2], outputs[1]}),
                                   frame(FrameKind::Judge, placed, {model, x, outputs[0]})});
  ASSERT_EQ(replies.size(), 4U);
  EXPECT_THAT(replies[0].json, HasSubstr(R"("verdict":"DIVERGES")")) << "Y_h is asked for and missing";
  EXPECT_THAT(replies[1].json, HasSubstr(R"("verdict":"CONFORMS")"));
  EXPECT_THAT(replies[2].json, HasSubstr(R"("verdict":"DIVERGES")"));
  EXPECT_EQ(replies[3].kind, FrameKind::Refused);
}

TEST(JudgeServer, RefusesWithTheReasonAndGoesOn) {
  const std::vector<std::pair<FrameKind, std::string>> asked{
      {FrameKind::Try, R"({"case":"no case"})"},
      {FrameKind::Try, R"({"case":7})"},
      {FrameKind::Make, "[]"},
      {FrameKind::List, R"({"suite":"none"})"},
      {FrameKind::Judge, "{}"},
      {FrameKind::Try, R"({"case":")" + case_text + R"(","contract":"f33"})"},
      {FrameKind::Try, R"({"case":")" + case_text + R"(","repeat":"no"})"}};
  std::vector<Frame> frames;
  for (const auto& [kind, json] : asked) frames.push_back(frame(kind, json));
  const auto replies = replies_to(frames);
  ASSERT_EQ(replies.size(), asked.size());
  for (std::size_t k = 0; k < asked.size(); ++k) EXPECT_EQ(replies[k].kind, FrameKind::Refused) << asked[k].second;
}

TEST(JudgeServer, EndsAtWhatIsNoRequest) {
  const auto replies = replies_to({frame(FrameKind::Ran, "{}"), frame(FrameKind::Hello, "{}")});
  ASSERT_EQ(replies.size(), 1U);
  EXPECT_EQ(replies[0].kind, FrameKind::Refused);
}

}  // namespace
}  // namespace cellproof::campaign
