#include "cli/known_of_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace cellproof::cli {
namespace {

using testing::HasSubstr;

std::string complaint_of(const std::function<void()>& parse) {
  try {
    parse();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(KnownOfEngine, ReadsContractsByEngine) {
  const auto contracts = parse_contracts({"onnxruntime=tf32", "mine=f32-inside"});
  EXPECT_EQ(contracts.at("onnxruntime"), ContractId::Tf32);
  EXPECT_EQ(contracts.at("mine"), ContractId::F32Inside);
  for (const char* text : {"onnxruntime", "onnxruntime=", "onnxruntime=vague"}) {
    EXPECT_THAT(complaint_of([&] { parse_contracts({text}); }), HasSubstr("expected ENGINE=ID")) << text;
  }
}

TEST(KnownOfEngine, ReadsReadingsAsRecordsWriteThem) {
  const Readings readings = Readings{}.with(Clause::ClipScope, "gates").with(Clause::PaddingOfY, "carry");
  const campaign::ProvedReadings known = parse_known_readings(readings.differences());
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM}) {
    EXPECT_EQ(known.at(op), readings) << name(op);
  }
}

TEST(KnownOfEngine, NamesTheReadingsThatAClauseHas) {
  EXPECT_THAT(complaint_of([] { parse_known_readings({"clip-scope=everything"}); }), HasSubstr("gates+cell"));
  EXPECT_THAT(complaint_of([] { parse_known_readings({"clip-scope=refuse"}); }), HasSubstr("expected one of"));
  for (const char* text : {"clip-scope", "colour=red", "=", ""}) {
    EXPECT_THAT(complaint_of([&] { parse_known_readings({text}); }), HasSubstr("expected CLAUSE=READING")) << text;
  }
}

}  // namespace
}  // namespace cellproof::cli
