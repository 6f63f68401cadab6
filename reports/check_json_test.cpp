#include "reports/check_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace cellproof::reports {
namespace {

Finding diverging() {
  Finding f;
  f.version = {Operator::LSTM, 14};
  f.judgement.verdict = Verdict::Diverges;
  f.judgement.contract = ContractId::F32;
  f.judgement.readings = Readings{}.with(Clause::ClipScope, "gates");
  f.judgement.bits = 128;
  f.judgement.faults = {"gate-order-ifoc"};
  f.judgement.first = FirstViolation{output::Y, {3, 0, 1, 2}, 3,    Direction::Forward, ElementType::Float, 0.5, -0.0,
                                     "",        0.5,          1e-7, {{"i", 0.5, 0}}};
  f.judgement.elements = {1, 2, 3, 4, 5, 6, 7};
  f.judgement.worst_ratio = std::numeric_limits<double>::infinity();
  f.judgement.max_ulp = 1.5;
  f.judgement.reason.found = "gates are swapped";
  return f;
}

// The shape is promised to other people's programs: the whole line is compared, not a part of it.
TEST(CheckJson, HasThePromisedShape) {
  EXPECT_EQ(
      check_json_line("a/b", 0, 22, diverging()),
      R"({"path":"a/b","data_set":0,"operator":"LSTM","domain":"","opset":22,"version":14,"verdict":"DIVERGES",)"
      R"("reading":["clip-scope=gates"],"contract":"f32","bits":128,"fault":["gate-order-ifoc"],)"
      R"("first":{"output":"Y","index":[3,0,1,2],"step":3,"direction":"forward","expected":"0.5","actual":"-0"},)"
      R"("elements":{"EXACT":1,"ROUNDING":2,"SUSPECT":3,"DIVERGENT":4,"UNRESOLVED":5,"UNVERIFIABLE":6,"UNSPECIFIED":7},)"
      R"("worst_ratio":"inf","max_ulp":1.5,"message":"gates are swapped"})");
}

TEST(CheckJson, NothingToSayIsNull) {
  Finding f;
  f.version = {Operator::DynamicQuantizeLSTM, 1};
  f.judgement.verdict = Verdict::Conforms;
  const auto line = nlohmann::json::parse(check_json_line("p", std::nullopt, 1, f));
  EXPECT_TRUE(line.at("data_set").is_null());
  EXPECT_TRUE(line.at("first").is_null());
  EXPECT_TRUE(line.at("worst_ratio").is_null());
  EXPECT_EQ(line.at("reading"), nlohmann::json::array());
  EXPECT_EQ(line.at("domain"), "com.microsoft");
}

TEST(CheckJson, OfAnUnreadableModelOnlyThePathIsKnown) {
  Finding f;
  f.judgement.verdict = Verdict::Unreadable;
  f.judgement.reason.found = "model.onnx: truncated";
  const auto line = nlohmann::json::parse(check_json_line("p", std::nullopt, std::nullopt, f));
  for (const char* key : {"operator", "domain", "opset", "version"}) EXPECT_TRUE(line.at(key).is_null()) << key;
  EXPECT_EQ(line.at("verdict"), "UNREADABLE");
  EXPECT_EQ(line.at("message"), "model.onnx: truncated");
}

TEST(CheckJson, StaysOneLineOfUtf8WhateverTheNames) {
  Finding f = diverging();
  f.judgement.reason.found = "a\nb\xff\x01";
  const std::string line = check_json_line("p\n\xff", 1, 14, f);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(line).at("path"), "p\n\xEF\xBF\xBD");
}

}  // namespace
}  // namespace cellproof::reports
