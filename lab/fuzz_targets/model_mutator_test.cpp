#include "lab/fuzz_targets/model_mutator.hpp"

#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <set>

#include "corpus/model.hpp"
#include "corpus/parse.hpp"

namespace cellproof::fuzz {
namespace {

TEST(ModelMutator, ChangesAModelIntoAnotherThatParses) {
  std::string model = mutated_model("no model", 1);
  ASSERT_NO_THROW(corpus::from_model(model, "the first"));
  std::set<std::string> seen, complaints;
  std::size_t readable = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    if (seed % 20 == 0) model = mutated_model("no model", seed);
    model = mutated_model(model, seed);
    onnx::ModelProto parsed;
    ASSERT_TRUE(corpus::parse(model, parsed)) << seed;
    seen.insert(model);
    try {
      corpus::from_model(model, "it");
      ++readable;
    } catch (const corpus::CorpusError& error) {
      complaints.insert(error.what());
    }
  }
  EXPECT_GT(seen.size(), 1500U);
  EXPECT_GT(readable, 100U) << "most of them should not be broken at once";
  EXPECT_GT(complaints.size(), 40U) << "and be broken in many ways";
}

TEST(ModelMutator, DoesTheSameForTheSameSeed) {
  const std::string model = mutated_model("", 3);
  EXPECT_EQ(mutated_model(model, 5), mutated_model(model, 5));
}

}  // namespace
}  // namespace cellproof::fuzz
