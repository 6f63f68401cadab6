#include "optimized/cudnn/probe/probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "optimized/cudnn/testing/stand_in.hpp"

namespace cellproof::cudnn::probe {
namespace {

/// What a probe finds out of the stand-in, whose ways are known.
std::string answer_of(const std::string& name, const std::string& asked) {
  testing::reset_stand_in();
  const auto context = testing::stand_in_context();
  for (const Probe& probe : probes())
    if (probe.name == name)
      for (const auto& [question, answer] : probe.ask(*context))
        if (question == asked) return answer;
  return "not asked";
}

TEST(CudnnProbes, FindOutTheWaysOfTheStandIn) {
  EXPECT_THAT(answer_of("A", "LSTM bidirectional, lengths 7 3 5 1"),
              ::testing::MatchesRegex("y .*e-0[789], h .*, c .*"));
  EXPECT_THAT(answer_of("D", "lengths 7 0 5 1, padding filled with zeros"), ::testing::StartsWith("status 5000"));
  EXPECT_THAT(answer_of("D", "lengths 7 3 5 1, padding filled with zeros"),
              ::testing::StartsWith("in the padding of y 384 zeros, 0 untouched, 0 others"));
  EXPECT_THAT(answer_of("D", "lengths 7 3 5 1, paddingFill NULL"),
              ::testing::StartsWith("in the padding of y 0 zeros, 384 untouched, 0 others"));
  EXPECT_EQ(answer_of("I", "LSTM bidirectional, lengths 7 3 5 1, recorded in a CUDA graph"), "the same bits");
  EXPECT_EQ(answer_of("I", "GRU forward, full, recorded in a CUDA graph"), "the same bits");
  EXPECT_THAT(answer_of("E", "with clip"), ::testing::StartsWith("status 3000"));
}

TEST(CudnnProbes, TellFailuresInOneLineOfJson) {
  EXPECT_EQ(json_line(probes()[0], "a \"device\"", {{"x", "1"}, {"y", "a\nb"}}),
            "{\"probe\": \"A\", \"question\": \"how far float is from double, by cell, direction and lengths\", "
            "\"on\": \"a \\\"device\\\"\", \"rows\": [{\"asked\": \"x\", \"answer\": \"1\"}, "
            "{\"asked\": \"y\", \"answer\": \"a b\"}]}");
}

}  // namespace
}  // namespace cellproof::cudnn::probe
