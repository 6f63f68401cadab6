// `cellproof lab mutants` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/testing/run_program.hpp"
#include "corpus/files.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

using testing::HasSubstr;

TEST(Mutants, ScoresASuiteAndNamesItsSurvivors) {
  const cli::ProgramResult result = cli::run_lab({"mutants", "score", "--suite", "onnx-backend"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("gate-order"));
  EXPECT_THAT(result.out, HasSubstr("survives: "));
  EXPECT_THAT(result.out, HasSubstr("killed by smoke ("));
  EXPECT_THAT(result.out, HasSubstr("mutants killed ("));
}

TEST(Mutants, TellTheSameToMachines) {
  const cli::ProgramResult result = cli::run_lab({"mutants", "score", "--suite", "onnx-backend", "--matrix", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_GT(json.at("killed"), 0);
  EXPECT_LT(json.at("killed"), json.at("counted"));
  bool several = false;
  for (const auto& mutant : json.at("mutants")) several = several || mutant.at("kills").size() > 1;
  EXPECT_TRUE(several) << "--matrix does not stop at the first kill";
}

TEST(Mutants, AreKilledByTheCaseLinesOfAFile) {
  const TemporaryFolder folder;
  const std::string file = (folder / "cases").string();
  std::ofstream(file) << "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=1\n\n"
                         "cellproof-case/1 op=LSTM-14 type=float T=3 N=2 I=3 H=4 direction=reverse\n";
  const cli::ProgramResult result = cli::run_lab({"mutants", "score", "--cases", file, "--matrix", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("suites"), nlohmann::json::array({file}));
  std::set<std::string> killers;
  for (const auto& mutant : json.at("mutants"))
    if (mutant.at("operator") == "LSTM") killers.insert(mutant.at("kills").begin(), mutant.at("kills").end());
  EXPECT_EQ(killers, std::set<std::string>{"3"}) << "a case is named by its line";
}

TEST(Mutants, AnswerAsAWorker) {
  const std::string lab = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-lab mutants engine ";
  const std::string line = "cellproof-case/1 op=LSTM-14 T=4 N=2 I=3 H=4 B=given";
  const auto wrong = cli::run_program({"replay", line, "--engine", "wrong=" + lab + "rb-ignored"});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("behaves like rb-ignored"));
  const auto right = cli::run_program({"replay", line, "--engine", "right=" + lab + "lengths-ignored"});
  EXPECT_EQ(right.exit_code, 0) << right.out << "no lengths are there to be ignored";
  const auto second = cli::run_program({"replay", line, "--engine", "second=" + lab + "rb-ignored --node 1"});
  EXPECT_EQ(second.exit_code, 0) << second.out << "only one node is asked for";
  const auto first = cli::run_program({"replay", line, "--engine", "first=" + lab + "rb-ignored --node 0"});
  EXPECT_THAT(first.out, HasSubstr("behaves like rb-ignored"));
  const auto unknown = cli::run_lab({"mutants", "engine", "no-such-fault"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no-such-fault"));
}

/// The engine takes nodes alone; the model's sizes are symbols, and so are the node's.
TEST(Mutants, OfSymbolicSizesShowInAModelThatHasThem) {
  namespace models = corpus::testing;
  const TemporaryFolder folder;
  auto model = models::model_at_top(Operator::GRU);
  models::declare(*model.mutable_graph()->add_input(), "lengths", onnx::TensorProto::INT32, {"N"});
  for (const char* input : {"", "lengths"}) model.mutable_graph()->mutable_node(0)->add_input(input);
  corpus::write_file(folder / "model.onnx", model.SerializeAsString());
  const std::string lab = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-lab mutants engine ";
  const auto of = [&](const std::string& mutant) {
    return cli::run_program({"check", folder / "model.onnx", "--shape", "N=3", "--engine", "mutant=" + lab + mutant});
  };
  const auto wrong = of("lengths-ignored@symbolic-sizes");
  EXPECT_EQ(wrong.exit_code, 1) << wrong.out;
  EXPECT_THAT(wrong.out, HasSubstr("alone it passes with every size a number, and fails with symbols: dims="));
  EXPECT_EQ(of("peepholes-ignored").exit_code, 0) << "a GRU has none";
}

TEST(Mutants, AreNotSoughtInAFileThatHoldsNoCases) {
  const TemporaryFolder folder;
  std::ofstream(folder / "cases") << "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=1\nnonsense\n";
  const cli::ProgramResult wrong = cli::run_lab({"mutants", "score", "--cases", (folder / "cases").string()});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("cases:2: "));
  const cli::ProgramResult missing = cli::run_lab({"mutants", "score", "--cases", (folder / "missing").string()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("missing: no such file"));
}

TEST(Mutants, InNarrowPlacesAreSearchedForWithTheSameExecutions) {
  const cli::ProgramResult result = cli::run_lab({"mutants", "edges", "--executions", "40", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("executions"), 40);
  EXPECT_GE(json.at("edges").size(), 15U);
  for (const auto& edge : json.at("edges")) {
    for (const char* how : {"drawn", "guided"}) EXPECT_TRUE(edge.at(how).is_null() || edge.at(how) <= 40) << edge;
  }
}

TEST(Mutants, AreScoredSeveralInOneEngine) {
  const cli::ProgramResult result =
      cli::run_lab({"mutants", "composite", "3", "--faults", "2", "--suite", "onnx-backend", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("composite engines: 3/3"));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("engines"), 3);
  ASSERT_EQ(json.at("of_engines").size(), 3U);
  for (const auto& engine : json.at("of_engines")) EXPECT_LE(engine.at("planted").size(), 2U);
  const cli::ProgramResult text =
      cli::run_lab({"mutants", "composite", "3", "--faults", "2", "--suite", "onnx-backend"});
  EXPECT_THAT(text.out, HasSubstr("whole set right for "));
  EXPECT_EQ(cli::run_lab({"mutants", "composite", "0"}).exit_code, 2);
}

TEST(Mutants, OfAnUnknownSuiteAreBadInput) {
  const cli::ProgramResult result = cli::run_lab({"mutants", "score", "--suite", "nonsense"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nonsense"));
}

}  // namespace
}  // namespace cellproof::lab
