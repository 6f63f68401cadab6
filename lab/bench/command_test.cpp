// `cellproof lab bench` as a user meets it. How fast anything is, no test says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* tiny = "cellproof-case/1 op=LSTM-14 type=float T=2 N=1 I=3 H=4 regime=normal";

TEST(Bench, OneTinyRowOfAllEnginesIsATableAndJson) {
  const cli::ProgramResult result =
      cli::run_lab({"bench", "engines", "--case", tiny, "--rounds", "1", "--seconds", "0.001", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["rows"].size(), 1U);
  const auto& subjects = json["rows"][0]["subjects"];
  EXPECT_EQ(subjects.size(), 8U);
  for (const auto& c : subjects) {
    // Somebody who is not here is named with the reason; who is here was measured and judged.
    if (c["missing"] != "") continue;
    EXPECT_EQ(c["rounds"].size(), 1U);
    EXPECT_EQ(c["verdict"], c["name"] == "openvino-bf16" ? "PRECISION f32-in-bf16" : "CONFORMS") << c.dump();
  }
  EXPECT_EQ(subjects[0]["missing"], "");
  EXPECT_EQ(subjects[1]["missing"], "") << "set-up brings ONNX Runtime";
  EXPECT_GT(json["rows"][0]["limit"]["seconds"]["median"], 0);
}

TEST(Bench, TheTableNamesWhoIsAbsent) {
  const cli::ProgramResult result =
      cli::run_lab({"bench", "engines", "--case", tiny, "--rounds", "1", "--seconds", "0.001"},
                   {{"CELLPROOF_ROOT", "/nonexistent"}});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("onnxruntime"));
  EXPECT_THAT(result.out, HasSubstr("unavailable: "));
}

TEST(Bench, NobodyPresentIsNothingRan) {
  const cli::ProgramResult result = cli::run_lab(
      {"bench", "engines", "--case", tiny, "--rounds", "1", "--subject", "onnxruntime", "--seconds", "0.001"},
      {{"CELLPROOF_ROOT", "/nonexistent"}});
  EXPECT_EQ(result.exit_code, 77) << result.out << result.err;
}

TEST(Bench, WithoutTheProgramOfTheSubjectsNothingRan) {
  const cli::ProgramResult result =
      cli::run_lab({"bench", "engines", "--case", tiny}, {{"CELLPROOF_WORKERS", "/nonexistent"}});
  EXPECT_EQ(result.exit_code, 77) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("is missing"));
}

TEST(Bench, TheJudgeIsMeasuredBesideTheReference) {
  const cli::ProgramResult result =
      cli::run_lab({"bench", "judge", "--case", tiny, "--rounds", "1", "--seconds", "0.001", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  for (const auto& c : json.at("rows").at(0).at("subjects")) EXPECT_EQ(c.at("missing"), "");
}

TEST(Bench, WritesThePageAndTheFigures) {
  const TemporaryFolder folder;
  const cli::ProgramResult result =
      cli::run_lab({"bench", "judge", "--case", tiny, "--rounds", "1", "--seconds", "0.001", "--subject",
                    "residual-judge", "--json", (folder / "b.json").string(), "--html", (folder / "b.html").string()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(fs::exists(folder / "b.json"));
  EXPECT_TRUE(fs::exists(folder / "b.html"));
}

TEST(Bench, BadUsageIsOneLineAndTwo) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--row", "nonsense"},
           {"--threads", "0"},
           {"--threads", "1,100000"},
           {"--rounds", "0"},
           {"--seconds", "0"},
           {"--subject", "nobody"},
           {"--case", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 colour=red"}}) {
    std::vector<std::string> arguments{"bench", "engines"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const cli::ProgramResult result = cli::run_lab(arguments);
    EXPECT_EQ(result.exit_code, 2) << more[0] << " " << more[1] << "\n" << result.out << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cellproof: "));
  }
}

TEST(Bench, MeasuresAPathOfOurOwnWhereItIsAskedFor) {
  const cli::ProgramResult result =
      cli::run_lab({"bench", "engines", "--case", tiny, "--rounds", "1", "--seconds", "0.001", "--subject",
                    "cellproof-cpu@scalar", "--subject", "cellproof-cpu", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto subjects = nlohmann::json::parse(result.out)["rows"][0]["subjects"];
  ASSERT_EQ(subjects.size(), 2U);
  EXPECT_EQ(subjects[0]["name"], "cellproof-cpu");
  EXPECT_THAT(subjects[1]["version"].get<std::string>(), testing::EndsWith(" scalar"));
}

TEST(Bench, ListsItsRows) {
  const cli::ProgramResult result = cli::run_lab({"bench", "rows"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("lstm-T64-N16-I256-H256-ragged"));
}

}  // namespace
}  // namespace cellproof::lab
