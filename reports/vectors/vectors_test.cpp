#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/testing/sample_vectors.hpp"
#include "spec/case.hpp"
#include "spec/sha256.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::reports {
namespace {

using testing::sample_vectors;

TEST(RenderVectors, AsJson) {
  EXPECT_EQ(difference_from_approved("reports/approved/vectors.json", render_json(sample_vectors())), "");
}

TEST(RenderVectors, AsCHeader) {
  EXPECT_EQ(difference_from_approved("reports/approved/vectors.h", render_c_header(sample_vectors())), "");
}

/// An LSTM with all that WebNN has, a GRU, and two vectors that it cannot express.
VectorSet vectors_for_webnn() {
  VectorSet set;
  set.version = "1.2.3";
  Case both = plain_case({Operator::LSTM, 22}, ElementType::Float, 2, 1, 1, 1);
  both.attributes.direction = "bidirectional";
  both.attributes.activations = {{"sigmoid", "Tanh", "Relu", "Sigmoid", "Tanh", "Relu"}};
  for (const std::size_t k : {input::B, input::initial_h, input::initial_c, input::P})
    both.inputs[k].presence = Presence::Given;
  set.vectors.push_back(testing::sample_vector("LSTM-01", both, {22}));
  Case clipping = plain_case({Operator::LSTM, 22}, ElementType::Float, 1, 1, 1, 1);
  clipping.attributes.clip = 0.5f;
  set.vectors.push_back(testing::sample_vector("LSTM-02", clipping, {22}));
  Case gru = plain_case({Operator::GRU, 22}, ElementType::Float16, 2, 1, 1, 1);
  gru.attributes.linear_before_reset = 1;
  set.vectors.push_back(testing::sample_vector("GRU-01", gru, {22}));
  gru.type = ElementType::Double;
  set.vectors.push_back(testing::sample_vector("GRU-02", gru, {22}));
  return set;
}

TEST(RenderVectors, AsWebPlatformTests) {
  for (const auto& [name, text] : render_webnn(vectors_for_webnn()))
    EXPECT_EQ(difference_from_approved("reports/approved/vectors_" + name, text), "");
}

TEST(RenderVectors, AsWebPlatformTestsOfWhatToleranceCanSayAlone) {
  const auto lstm_of = [](const VectorSet& set) { return render_webnn(set).front().second; };
  VectorSet set = vectors_for_webnn();
  EXPECT_NE(lstm_of(set).find("LSTM-01"), std::string::npos);
  EXPECT_EQ(lstm_of(set).find("LSTM-02"), std::string::npos) << "WebNN clips nothing";
  VectorSet open = set;
  open.vectors[0].ways.push_back(open.vectors[0].ways[0]);
  EXPECT_EQ(lstm_of(open).find("LSTM-01"), std::string::npos) << "there are two ways";
  set.vectors[0].ways[0].outputs[output::Y_c]->nan = {0};
  EXPECT_EQ(lstm_of(set).find("LSTM-01"), std::string::npos) << "NaN is right, too";
}

TEST(RenderVectors, AsNumpyFile) {
  const std::string bytes = render_npz(sample_vectors());
  EXPECT_NE(bytes.find("RNN-01/way1/Y/nan.npy"), std::string::npos);
  EXPECT_EQ(sha256(bytes), "7f657bd1cc3547dd4c4334e909cf545eb413c5eba7441186425944b68d2fc45f")
      << "numpy reads it in python/tests/vectors_test.py";
}

TEST(RenderVectors, AsJsonWithASumOfAllElse) {
  nlohmann::json json = nlohmann::json::parse(render_json(sample_vectors()));
  const std::string sum = json["sha256"];
  json.erase("sha256");
  EXPECT_EQ(sum, sha256(json.dump()));
  VectorSet other = sample_vectors();
  other.vectors[1].ways[0].outputs[0]->hi.set_value(0, 0.5);
  EXPECT_NE(nlohmann::json::parse(render_json(other))["sha256"], sum);
}

TEST(RenderVectors, LeavesOutWhatALaterWayHasOfTheFirst) {
  const auto json = nlohmann::json::parse(render_json(sample_vectors()));
  const auto& ways = json["vectors"][0]["ways"];
  EXPECT_TRUE(ways[0]["outputs"].contains("Y_h"));
  EXPECT_FALSE(ways[1]["outputs"].contains("Y_h"));
  EXPECT_TRUE(ways[1]["outputs"].contains("Y"));
}

TEST(RenderVectors, HasASchemaThatNamesItsFormat) {
  const auto schema = nlohmann::json::parse(vectors_schema());
  const auto json = nlohmann::json::parse(render_json(sample_vectors()));
  EXPECT_EQ(schema["properties"]["format"]["const"], json["format"]);
  for (const auto& [key, value] : json["vectors"][0].items())
    EXPECT_TRUE(schema["$defs"]["vector"]["properties"].contains(key)) << key;
}

}  // namespace
}  // namespace cellproof::reports
