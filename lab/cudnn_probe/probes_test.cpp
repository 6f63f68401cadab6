#include "lab/cudnn_probe/probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "optimized/cudnn/testing/stand_in.hpp"

namespace cellproof::cudnn::probe {
namespace {

using ::testing::MatchesRegex;
using ::testing::StartsWith;

const Probe& probe_named(const std::string& name) {
  for (const Probe& probe : probes())
    if (probe.name == name) return probe;
  throw std::invalid_argument(name);
}

/// Answers that a probe gets from the stand-in, whose ways are known.
class CudnnProbes : public ::testing::Test {
 protected:
  CudnnProbes() { testing::reset_stand_in(); }

  std::string answer_of(const std::string& name, const std::string& asked) const {
    const std::vector<Question> questions = probe_named(name).questions();
    for (std::size_t k = 0; k < questions.size(); ++k) {
      if (!asked.starts_with(questions[k].asked)) continue;
      for (const auto& [question, answer] : ask(*context_, questions, k).rows)
        if (question == asked) return answer;
    }
    return "not asked";
  }

  std::unique_ptr<cellproof_cudnn_context> context_ = testing::stand_in_context();
};

TEST_F(CudnnProbes, FindOutTheWaysOfTheStandIn) {
  EXPECT_THAT(answer_of("A", "LSTM bidirectional, lengths 7 3 5 1"), MatchesRegex("y .*e-0[789], h .*, c .*"));
  EXPECT_THAT(answer_of("D", "lengths 7 0 5 1, padding filled with zeros"), StartsWith("status 5000"));
  EXPECT_EQ(answer_of("D", "lengths 7 3 5 1, padding filled with zeros"),
            "in the padding of y 384 zeros, 0 untouched, 0 others");
  EXPECT_EQ(answer_of("D", "lengths 7 3 5 1, paddingFill NULL"),
            "in the padding of y 0 zeros, 384 untouched, 0 others");
  EXPECT_EQ(answer_of("D", "GRU float16 bidirectional, lengths 7 3 5 1, batch-major"),
            "in the padding of y 768 zeros, 0 untouched, 0 others");
  EXPECT_EQ(answer_of("D", "neighbours of a sequence whose one step is NaN"), "the same bits");
  EXPECT_EQ(answer_of("F", "LSTM, initial states NULL against zeros"), "the same bits");
  EXPECT_THAT(answer_of("F", "wrong devSeqLengths"), StartsWith("status 2000"));
  EXPECT_EQ(answer_of("I", "LSTM bidirectional, lengths 7 3 5 1, recorded in a CUDA graph"), "the same bits");
  EXPECT_EQ(answer_of("I", "GRU forward, full, recorded in a CUDA graph"), "the same bits");
  EXPECT_EQ(answer_of("I", "LSTM forward, lengths 7 3 5 1, replayed with other X behind other lengths"),
            "the same bits");
  EXPECT_EQ(answer_of("D", "GRU, batch-major, NaN in X's padding"), "the same bits");
  EXPECT_EQ(answer_of("L", "our layer on the device's memory, bidirectional, layout 1"), "the same bits");
  EXPECT_THAT(ask(*context_, probe_named("E").questions(), 0).rows[0].second, StartsWith("status 3000"));
  EXPECT_EQ(answer_of("L", "GRU, N 4, the call before"), "as alone");
  EXPECT_EQ(answer_of("L", "GRU, N 4, the call with other lengths behind it"), "as alone");
  EXPECT_EQ(answer_of("P", "LSTM, last states in the place of the initial ones"), "the same bits");
}

/// Every question of our layer against the equations, which know nothing of it.
TEST_F(CudnnProbes, FindNothingAmissInOurLayer) {
  const std::vector<Question> questions = questions_of_equations();
  EXPECT_GT(questions.size(), 100U);
  for (std::size_t k = 0; k < questions.size(); ++k) {
    const double tolerance = questions[k].asked.find("float16") == std::string::npos ? 1e-6 : 5e-2;
    for (const auto& [asked, answer] : ask(*context_, questions, k).rows)
      for (std::size_t at = answer.find(' '); at != std::string::npos;
           at = answer.find(' ', answer.find(',', at) + 2)) {
        EXPECT_LE(std::strtod(answer.c_str() + at, nullptr), tolerance) << asked << ": " << answer;
        if (answer.find(',', at) == std::string::npos) break;
      }
  }
}

/// Each of the two ways that cuDNN may have shows in the answers.
TEST_F(CudnnProbes, TellWhetherProductsWaitInFloat) {
  const std::string small = "float16 W x = 2049, R h = -2048: 1 where W x waits in float, 0 where in float16, FMA",
                    great =
                        "float16 W x = 70000, R h = -69888: 112 where W x waits in float, inf or nan where in "
                        "float16, FMA";
  EXPECT_EQ(answer_of("K", small), "1");
  EXPECT_EQ(answer_of("K", great), "112");
  EXPECT_EQ(answer_of("K", "float16 h = 2049, then - 2048: 0 where h is stored in float16, 1 where in float, FMA"),
            "0");
  EXPECT_EQ(answer_of("K",
                      "float16 c after four steps of 2^-12 from 1: 1 where c is stored in float16, 1.00098 where in "
                      "float, FMA"),
            "1");
  testing::stand_in().stores_products = true;
  EXPECT_EQ(answer_of("K", small), "0");
  EXPECT_EQ(answer_of("K", great), "inf");
}

TEST_F(CudnnProbes, MeasureFunctionsWhereverTheyAreCalled) {
  for (const std::string name : {"Tanh", "Relu", "Sigmoid"}) {
    EXPECT_LE(std::strtod(answer_of("N", name + ", greatest error in units in the last place").c_str(), nullptr), 0.51)
        << name;
    EXPECT_EQ(answer_of("N", name + ", values that are flushed to zero"), "0");
    EXPECT_EQ(answer_of("N", name + ", values beyond 1 or none"), "0");
  }
  EXPECT_EQ(answer_of("N", "Tanh, zeros, infinities, NaN"),
            "0 gives 0, -0 gives 0, inf gives 1, -inf gives -1, nan gives nan");
}

TEST_F(CudnnProbes, StopWhereTheDeviceIsLostAndSayByWhat) {
  const std::vector<Question> questions = probe_named("D").questions();
  testing::stand_in().lost_after = 1;
  EXPECT_FALSE(ask(*context_, questions, 0).is_lost);
  const Step lost = ask(*context_, questions, 1);
  EXPECT_TRUE(lost.is_lost);
  EXPECT_EQ(lost.next, 2U);
  EXPECT_EQ(lost.rows.back().second, "the device is lost by it");
  testing::reset_stand_in();
}

TEST(CudnnProbeLine, TellFailuresInOneLineOfJson) {
  EXPECT_EQ(json_line(probes()[0], "a \"device\"", {{"x", "1"}, {"y", "a\nb"}}, 2, 3),
            "{\"probe\": \"A\", \"question\": \"how far float is from double, by cell, direction and lengths\", "
            "\"on\": \"a \\\"device\\\"\", \"rows\": [{\"asked\": \"x\", \"answer\": \"1\"}, "
            "{\"asked\": \"y\", \"answer\": \"a b\"}], \"next\": 2, \"of\": 3}");
}

}  // namespace
}  // namespace cellproof::cudnn::probe
