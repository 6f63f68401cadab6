#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/testing/approval.hpp"
#include "reports/testing/sample_vectors.hpp"
#include "spec/sha256.hpp"

namespace cellproof::reports {
namespace {

using testing::sample_vectors;

TEST(RenderVectors, AsJson) {
  EXPECT_EQ(difference_from_approved("reports/approved/vectors.json", render_json(sample_vectors())), "");
}

TEST(RenderVectors, AsCHeader) {
  EXPECT_EQ(difference_from_approved("reports/approved/vectors.h", render_c_header(sample_vectors())), "");
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
