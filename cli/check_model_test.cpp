// `check MODEL.onnx`: nodes of whole models judged as engines run them, wherever they are; and what bad input brings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/testing/run_program.hpp"
#include "corpus/files.hpp"
#include "corpus/model.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
namespace models = corpus::testing;

class CheckAModel : public testing::Test {
 protected:
  ProgramResult check(const onnx::ModelProto& model, std::vector<std::string> options = {}) const {
    const std::string file = folder_ / "model.onnx";
    std::filesystem::remove(file);
    corpus::write_file(file, model.SerializeAsString());
    options.insert(options.begin(), {"check", file});
    return run_program(options);
  }

  std::vector<nlohmann::json> checked(const onnx::ModelProto& model, std::vector<std::string> options,
                                      int exit_code = 0) const {
    options.insert(options.end(), {"--json", "-"});
    const ProgramResult result = check(model, std::move(options));
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    std::vector<nlohmann::json> lines;
    std::istringstream out(result.out);
    for (std::string line; std::getline(out, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  TemporaryFolder folder_;
};

/// A GRU whose lengths are an input of the model, cast to the type that the node wants.
onnx::ModelProto model_with_lengths() {
  auto model = models::model_at_top(Operator::GRU);
  auto& graph = *model.mutable_graph();
  models::declare(*graph.add_input(), "lengths", onnx::TensorProto::INT64, {"N"});
  auto& node = *graph.mutable_node(0);
  node.add_input("");
  node.add_input("lengths_32");
  auto cast = models::node_of("Cast", {"lengths"}, {"lengths_32"}, "cast");
  auto& to = models::attribute_of(cast, "to");
  to.set_type(onnx::AttributeProto::INT);
  to.set_i(onnx::TensorProto::INT32);
  *graph.add_node() = cast;
  graph.mutable_node()->SwapElements(0, 1);
  return model;
}

TEST_F(CheckAModel, JudgesItsNodesWhereverTheyAre) {
  const std::pair<const char*, onnx::ModelProto> all[] = {{"cell", models::model_at_top()},
                                                          {"choice.then/cella", models::model_with_if()},
                                                          {"loop.body/cell", models::model_with_loop()},
                                                          {"call/inner", models::model_with_function()}};
  for (const auto& [path, model] : all) {
    const auto lines = checked(model, {"--shape", "T=6,N=3"});
    ASSERT_FALSE(lines.empty()) << path;
    EXPECT_EQ(lines[0]["node"], path);
    EXPECT_EQ(lines[0]["verdict"], "CONFORMS") << lines[0];
    EXPECT_EQ(lines[0]["engine"], "onnxruntime");
    EXPECT_EQ(lines[0]["sizes"], (nlohmann::json{{"T", 6}, {"N", 3}, {"I", 4}, {"H", 5}, {"D", 1}})) << lines[0];
    EXPECT_FALSE(lines[0]["alone"]);
  }
  EXPECT_EQ(checked(models::model_with_loop(), {})[0]["calls"], 3);
}

TEST_F(CheckAModel, SaysWhichBranchWasNotTaken) {
  const auto wide = check(models::model_with_if());
  EXPECT_EQ(wide.exit_code, 0) << wide.out << wide.err;
  EXPECT_THAT(wide.out, HasSubstr("rate int64 []: 16000, which the model compares it with"));
  EXPECT_THAT(wide.out, HasSubstr("choice.else/cellb  LSTM-14 forward  not run: these inputs do not lead to it"));
  const auto narrow = checked(models::model_with_if(), {"--value", "rate=8000"});
  ASSERT_THAT(narrow, SizeIs(2));
  EXPECT_EQ(narrow[0]["calls"], 0);
  EXPECT_EQ(narrow[1]["verdict"], "CONFORMS");
}

TEST_F(CheckAModel, ReadsExternalData) {
  auto model = models::model_at_top();
  corpus::write_file(folder_ / "weights.bin", models::move_outside(model, "weights.bin"));
  EXPECT_EQ(checked(model, {})[0]["verdict"], "CONFORMS");
}

/// Every x is 0.25, which lies between the codes of 0 and 0.5: the even one is taken, and nothing is left of x.
TEST_F(CheckAModel, JudgesQuantisedNodesOnWhatTheyTakeAndSaysWhatQuantisationMoves) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const bool per_row : {false, true}) {
      const auto model = models::quantised_model(op, per_row);
      const auto lost = checked(model, {"--shape", "T=6,N=2", "--value", "x=0.25"}).at(0);
      EXPECT_EQ(lost["verdict"], "CONFORMS") << lost;
      const auto& effect = lost["quantisation"];
      EXPECT_EQ(effect["inputs"], nlohmann::json({"X"}));
      EXPECT_EQ(effect["codes_alone"], nlohmann::json({"W", "R"}));
      EXPECT_NE(effect["outputs"]["Y_h"]["most"], "0");
      EXPECT_EQ(effect["outputs"]["Y_h"]["most"], effect["outputs"]["Y_h"]["largest"]);
      const auto kept = checked(model, {"--shape", "T=6,N=2", "--value", "x=0.5"}).at(0);
      EXPECT_EQ(kept["quantisation"]["outputs"]["Y"]["most"], "0");
    }
  }
  const auto text = check(models::quantised_model(Operator::GRU), {"--shape", "T=6,N=2", "--value", "x=0.5"});
  EXPECT_THAT(text.out, HasSubstr("quantisation of X alone moves Y by 0 at most"));
  EXPECT_THAT(text.out, HasSubstr("of W, R the model holds codes alone"));
  EXPECT_EQ(checked(models::model_at_top(), {}).at(0)["quantisation"], nullptr);
}

/// In a branch and in a loop the tensor before QuantizeLinear is tapped where it is.
TEST_F(CheckAModel, JudgesQuantisedNodesInBranchesAndLoops) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const std::tuple<const char*, onnx::ModelProto, int> all[] = {
        {"choice.then/cell", models::quantised_model_in_if(op), 1},
        {"loop.body/cell", models::quantised_model_in_loop(op), 3}};
    for (const auto& [path, model, calls] : all) {
      const auto lost = checked(model, {"--shape", "T=6,N=1", "--value", "x=0.25"}).at(0);
      EXPECT_EQ(lost["node"], path);
      EXPECT_EQ(lost["calls"], calls);
      EXPECT_EQ(lost["verdict"], "CONFORMS") << lost;
      EXPECT_EQ(lost["quantisation"]["inputs"], nlohmann::json({"X"})) << lost;
      EXPECT_EQ(lost["quantisation"]["codes_alone"], nlohmann::json({"W", "R"}));
      EXPECT_NE(lost["quantisation"]["outputs"]["Y_h"]["most"], "0");
      const auto kept = checked(model, {"--shape", "T=6,N=1", "--value", "x=0.5"}).at(0);
      EXPECT_EQ(kept["quantisation"]["outputs"]["Y"]["most"], "0") << kept;
    }
  }
}

/// ONNX's own evaluator takes every sequence to have T steps.
TEST_F(CheckAModel, NamesTheMistakeOfAWrongEngine) {
  const std::vector<std::string> sizes{"--shape", "T=9,N=3", "--engine", "onnxruntime", "--engine", "onnx-reference"};
  const auto lines = checked(model_with_lengths(), sizes, 1);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0]["verdict"], "CONFORMS") << lines[0];
  EXPECT_EQ(lines[1]["engine"], "onnx-reference");
  EXPECT_EQ(lines[1]["verdict"], "DIVERGES") << lines[1];
  EXPECT_EQ(lines[1]["fault"].at(0), "lengths-ignored") << lines[1];
  const auto text = check(model_with_lengths(), {"--shape", "T=9,N=3", "--engine", "onnx-reference"});
  EXPECT_THAT(text.out, HasSubstr("FAIL  cell  GRU-14 forward T=9 N=3 I=4 H=5  DIVERGES lengths-ignored"));
  EXPECT_THAT(text.out, HasSubstr("1 nodes: 1 judged, 1 failing"));
}

/// The mistake of one node is tried first in the next one, and the whole list where that explains nothing.
TEST_F(CheckAModel, NamesTwoMistakesOfOneEngine) {
  auto model = model_with_lengths();
  auto& graph = *model.mutable_graph();
  auto again = graph.node(1);
  again.set_name("again");
  again.clear_output();
  again.add_output("y2");
  *graph.add_node() = again;
  *graph.add_node() = models::recurrent_node(Operator::GRU, {"x", "W", "R"}, {"y3"}, "clipped");
  auto& clip = models::attribute_of(*graph.mutable_node(3), "clip");
  clip.set_type(onnx::AttributeProto::FLOAT);
  clip.set_f(0.125F);
  const auto lines = checked(model, {"--shape", "T=9,N=3", "--engine", "onnx-reference"}, 1);
  ASSERT_THAT(lines, SizeIs(4));  // the first one says that the engine does not run the whole
  for (const std::size_t k : {1U, 2U}) EXPECT_EQ(lines[k]["fault"].at(0), "lengths-ignored") << lines[k];
  EXPECT_EQ(lines[3]["fault"].at(0), "clip-ignored") << lines[3];
}

TEST_F(CheckAModel, HandsOverTheNodeThatFails) {
  const auto out = folder_ / "out";
  const auto first =
      check(model_with_lengths(), {"--shape", "T=9,N=3", "--engine", "onnx-reference", "--export", out.string()});
  const std::string node = (out / "onnx-reference" / "0-cell").string();
  EXPECT_THAT(first.out, HasSubstr("`cellproof reduce " + node + " --engine onnx-reference -o " + node +
                                   "-small` makes it small"));
  EXPECT_THAT(run_program({"check", node}).out, HasSubstr("lengths-ignored"));
  const auto replayed = run_program({"replay", node, "--engine", "onnx-reference"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("lengths-ignored"));
  EXPECT_THAT(replayed.out, HasSubstr("dir:" + node + "/test_data_set_0"));
  const auto small = run_program({"reduce", node, "--engine", "onnx-reference", "-o", (folder_ / "small").string()});
  EXPECT_THAT(small.out, HasSubstr("lengths-ignored")) << small.err;
  const auto again =
      check(model_with_lengths(), {"--shape", "T=9,N=3", "--engine", "onnx-reference", "--export", out.string()});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr(node + ": "));
}

/// One line for `reduce`, `replay` and `export`, which take one node: it names the command that gives them one.
TEST_F(CheckAModel, IsNamedByCommandsThatTakeOneNode) {
  check(model_with_lengths());
  const std::string file = folder_ / "model.onnx", small = folder_ / "small";
  const auto reduced = run_program({"reduce", file, "--engine", "onnx-reference", "-o", small});
  const auto replayed = run_program({"replay", file, "--engine", "onnx-reference"});
  const auto exported = run_program({"export", "--suite", file, "-o", small});
  for (const auto* result : {&reduced, &replayed, &exported}) {
    EXPECT_EQ(result->exit_code, 2);
    EXPECT_THAT(result->err, HasSubstr("`cellproof check " + file + " --engine ENGINE --export DIR`"));
    EXPECT_EQ(std::ranges::count(result->err, '\n'), 1) << result->err;
  }
}

/// Two layers in a folder are no case; the line names the command that makes a folder of each, and that one works.
TEST_F(CheckAModel, IsNamedForAFolderOfLayers) {
  const std::filesystem::path stack = folder_ / "stack", data = stack / "test_data_set_0";
  std::filesystem::create_directories(data);
  auto model = models::model_at_top();
  auto& graph = *model.mutable_graph();
  models::add_integer(graph, "axes", 1, true);
  graph.mutable_node(0)->set_output(0, "y");
  graph.mutable_node(0)->set_output(1, "");
  *graph.add_node() = models::node_of("Squeeze", {"y", "axes"}, {"x2"});
  *graph.add_node() = models::recurrent_node(Operator::LSTM, {"x2", "R", "R"}, {"", "yh"}, "second");
  corpus::write_file(stack / "model.onnx", model.SerializeAsString());
  corpus::write_file(data / "input_0.pb", corpus::to_tensor_proto(Tensor(ElementType::Float, {3, 2, 4}), "x"));
  corpus::write_file(data / "output_0.pb", corpus::to_tensor_proto(Tensor(ElementType::Float, {1, 2, 5}), "yh"));
  const std::string file = stack / "model.onnx", inputs = data, small = folder_ / "small";
  const auto reduced = run_program({"reduce", stack, "--engine", "onnxruntime", "-o", small});
  const auto replayed = run_program({"replay", stack, "--engine", "onnxruntime"});
  for (const auto* result : {&reduced, &replayed}) {
    EXPECT_EQ(result->exit_code, 2);
    EXPECT_THAT(result->err, HasSubstr("holds 2 recurrent nodes, expected one; `cellproof check " + stack.string()));
    EXPECT_THAT(result->err, HasSubstr("`cellproof check " + file + " --inputs " + inputs + " --engine ENGINE"));
    EXPECT_EQ(std::ranges::count(result->err, '\n'), 1) << result->err;
  }
  const auto on_engine = run_program({"check", file, "--inputs", inputs, "--engine", "onnxruntime"});
  EXPECT_EQ(on_engine.exit_code, 0) << on_engine.err;
  EXPECT_THAT(on_engine.out, HasSubstr("2 nodes: 2 judged, 0 failing"));
}

TEST_F(CheckAModel, ExportsNothingOfAnEngineThatIsRight) {
  const auto out = folder_ / "out";
  EXPECT_EQ(check(model_with_lengths(), {"--export", out.string()}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CheckAModel, SaysOfTwoEnginesWhereTheyPart) {
  const std::vector<std::string> engines{"--shape", "T=9,N=3", "--engine", "onnxruntime", "--engine", "onnx-reference"};
  EXPECT_THAT(check(model_with_lengths(), engines).out,
              HasSubstr("first wrong node: cell (onnxruntime: CONFORMS, onnx-reference: DIVERGES)\n"
                        "  onnxruntime and onnx-reference: output yh differs by 0."));
  EXPECT_THAT(check(models::model_at_top(), engines).out, HasSubstr("the recurrence is right in all engines\n"));
}

TEST_F(CheckAModel, RunsItsNodesAloneWhereAnEngineTakesNothingElse) {
  const auto lines = checked(model_with_lengths(), {"--shape", "N=3", "--engine", "cellproof-cpu"});
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0]["node"], nullptr);
  EXPECT_EQ(lines[0]["outcome"], "REJECTED");
  EXPECT_TRUE(lines[1]["alone"]);
  EXPECT_EQ(lines[1]["verdict"], "CONFORMS");
  EXPECT_THAT(check(model_with_lengths(), {"--engine", "cellproof-cpu"}).out,
              HasSubstr("each node is run alone, with tensors recorded by onnxruntime"));
}

TEST_F(CheckAModel, IsAdvisedForAFolderThatHoldsMoreThanANode) {
  const std::filesystem::path test = folder_ / "test";
  std::filesystem::create_directory(test);
  corpus::write_file(test / "model.onnx", models::model_with_if().SerializeAsString());
  const auto result = run_program({"check", test.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("model.onnx` judges its 2 recurrent nodes as an engine runs the model"));
}

/// Taps show what the outputs of a folder do not.
TEST_F(CheckAModel, JudgesWhatAFolderOfItDoesNotShow) {
  for (const auto& [model, nodes] :
       {std::pair{models::model_with_quantised_output(), 1U}, {models::model_with_encoder(), 2U}}) {
    const auto lines = checked(model, {"--shape", "T=6,N=3"});
    ASSERT_THAT(lines, SizeIs(nodes));
    for (const auto& line : lines) {
      EXPECT_EQ(line["verdict"], "CONFORMS") << line;
      EXPECT_FALSE(line["alone"]);
    }
    const std::string test = folder_ / ("test" + std::to_string(nodes));
    std::filesystem::create_directory(test);
    corpus::write_file(test + "/model.onnx", model.SerializeAsString());
    EXPECT_THAT(run_program({"check", test}).out, HasSubstr("as an engine runs the model"));
  }
}

TEST_F(CheckAModel, SaysOfAnEngineThatItCrashed) {
  const std::string crashing = std::string("h=") + CELLPROOF_BINARY_DIR + "/bin/cellproof-engine-hostile segfault";
  const auto result = check(models::model_at_top(), {"--engine", crashing});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("does not run the whole model: CRASHED"));
}

TEST_F(CheckAModel, SaysOfAnEngineThatItRefuses) {
  auto model = models::model_at_top();
  *model.mutable_graph()->add_node() = models::node_of("NoSuchOperator", {"x"}, {"y"});
  const auto result = check(model);
  EXPECT_EQ(result.exit_code, 77) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("does not run the whole model: NOT_SUPPORTED"));
  EXPECT_THAT(result.out, HasSubstr("--shape sets"));
}

TEST_F(CheckAModel, ListsItsNodesAndRunsNothing) {
  const auto text = check(models::model_with_if(), {"--list", "--engine", "no-such-engine"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("node    choice.then/cella: LSTM-14 forward H=5"));
  EXPECT_THAT(text.out, HasSubstr("W from Unsqueeze of an initializer"));
  EXPECT_THAT(text.out, HasSubstr("Y is not used"));
  const auto lines = checked(models::model_with_if(), {"--list"});
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[1]["node"], "choice.else/cellb");
  EXPECT_EQ(lines[1]["sources"]["R"], "initializer");
}

TEST_F(CheckAModel, RefusesBadInputInOneLine) {
  const auto model = models::model_at_top();
  auto without = models::empty_model();
  *without.mutable_graph()->add_node() = models::node_of("Relu", {"x"}, {"yh"});
  corpus::write_file(folder_ / "x.pb", corpus::to_tensor_proto(Tensor(ElementType::Float, {2, 1, 3}), ""));
  const std::string inputs = folder_.path();
  const std::tuple<const char*, onnx::ModelProto, std::vector<std::string>, const char*> all[] = {
      {"no node", without, {}, "no recurrent operator, expected LSTM, GRU, RNN or DynamicQuantizeLSTM"},
      {"a wrong shape", model, {"--inputs", inputs}, "x FLOAT [T,N,4] as the model declares"},
      {"a missing input", model_with_lengths(), {"--inputs", inputs}, "x"},
      {"no such file", model, {"--inputs", inputs + "/none.npz"}, "none.npz"},
      {"no number", model, {"--shape", "T=x"}, "expected NAME=NUMBER"},
      {"no such size", model, {"--shape", "Q=3"}, "expected one of N, T, x.0, x.1"},
      {"no such input", model, {"--value", "rate=3"}, "the name of an input"},
      {"two sources", model, {"--inputs", inputs, "--shape", "T=3"}, "leave them out beside --inputs"},
      {"no such engine", model, {"--engine", "nobody"}, "there is no engine"},
  };
  for (const auto& [what, proto, options, words] : all) {
    const auto result = check(proto, options);
    EXPECT_EQ(result.exit_code, 2) << what << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr(words)) << what;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << what << result.err;
  }
}

}  // namespace
}  // namespace cellproof::cli
