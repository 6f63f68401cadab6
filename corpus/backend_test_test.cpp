#include "corpus/backend_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>
#include <sys/resource.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "corpus/files.hpp"
#include "corpus/testing/cases.hpp"
#include "corpus/testing/files.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Y_h and Y_c of an LSTM with a ragged batch: two graph inputs, two graph outputs.
Problem ragged_problem() {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6);
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  return as_written(make_problem(c));
}

Outputs outputs_with(double h, double c) {
  Outputs result{std::nullopt, Tensor(ElementType::Float, {1, 3, 6}), Tensor(ElementType::Float, {1, 3, 6})};
  result[1]->set_value(7, h);
  result[2]->set_value(7, c);
  return result;
}

void write(const fs::path& directory) {
  write_backend_test(directory, ragged_problem(), outputs_with(1, 2), Tolerance{1e-3, 1e-7}, std::nullopt, "the line");
}

std::vector<std::string> everything_below(const fs::path& root) {
  std::vector<std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) result.push_back(entry.path().lexically_relative(root).string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(BackendTest, IsReadAsItWasWritten) {
  const TemporaryFolder base;
  write(base.path() / "test_case");
  const auto test = read_backend_test(base.path() / "test_case");
  EXPECT_EQ(test.opset, 14);
  EXPECT_EQ(test.case_line, "the line");
  EXPECT_FALSE(test.refuse_clause);
  ASSERT_EQ(test.data_sets.size(), 1U);
  EXPECT_EQ(test.data_sets[0].number, 0);
  EXPECT_EQ(test.data_sets[0].problem, ragged_problem());
  EXPECT_EQ(test.data_sets[0].outputs, outputs_with(1, 2));
}

TEST(BackendTest, EveryVersionGoesThereAndBack) {
  const TemporaryFolder base;
  for (const Case& c : varied_cases(3)) {
    const Problem problem = as_written(make_problem(c));
    Outputs outputs(problem.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (problem.asks_for(i)) outputs[i] = Tensor(c.type, {static_cast<std::int64_t>(i), 2});
    }
    const auto directory = base.path() / (to_string(c.version) + "-" + std::to_string(c.seed));
    write_backend_test(directory, problem, outputs, std::nullopt, std::nullopt, "line");
    const auto test = read_backend_test(directory);
    ASSERT_EQ(test.data_sets.size(), 1U);
    EXPECT_EQ(test.data_sets[0].problem, problem) << directory;
    EXPECT_EQ(test.data_sets[0].outputs, outputs) << directory;
  }
}

TEST(BackendTest, HasTheFilesThatOnnxExpects) {
  const TemporaryFolder base;
  write(base.path() / "t");
  EXPECT_THAT(everything_below(base.path()),
              ElementsAre("t/data.json", "t/model.onnx", "t/test_data_set_0/input_0.pb", "t/test_data_set_0/input_1.pb",
                          "t/test_data_set_0/output_0.pb", "t/test_data_set_0/output_1.pb"));
  const auto json = nlohmann::json::parse(read_file(base.path() / "t" / "data.json", 1000));
  EXPECT_EQ(json["rtol"], 1e-3);
  EXPECT_EQ(json["atol"], 1e-7);
  EXPECT_EQ(json["cellproof"]["expect"], "accept");
  EXPECT_EQ(json["cellproof"]["operator"], "LSTM-14");
  EXPECT_EQ(json["cellproof"]["case"], "the line");
}

TEST(BackendTest, SaysWhatMustBeRefused) {
  const TemporaryFolder base;
  write_backend_test(base.path() / "t", ragged_problem(), {}, std::nullopt, "LSTM-7: attributes", "line");
  const auto test = read_backend_test(base.path() / "t");
  EXPECT_EQ(test.refuse_clause, "LSTM-7: attributes");
  ASSERT_EQ(test.data_sets.size(), 1U);
  EXPECT_THAT(test.data_sets[0].outputs, ElementsAre(std::nullopt, std::nullopt, std::nullopt));
  EXPECT_FALSE(nlohmann::json::parse(read_file(base.path() / "t" / "data.json", 1000)).contains("rtol"));
}

TEST(BackendTest, MayHoldSeveralDataSetsInNumericalOrder) {
  const TemporaryFolder base;
  const auto directory = base.path() / "t";
  write(directory);
  for (const char* name : {"test_data_set_10", "test_data_set_9"}) {
    fs::copy(directory / "test_data_set_0", directory / name);
  }
  put_file(directory / "test_data_set_9" / "output_1.pb", to_tensor_proto(*outputs_with(0, 9)[2], ""));
  fs::create_directory(directory / "test_data_set_x");
  const auto test = read_backend_test(directory);
  ASSERT_EQ(test.data_sets.size(), 3U);
  EXPECT_EQ(test.data_sets[0].number, 0);
  EXPECT_EQ(test.data_sets[1].number, 9);
  EXPECT_EQ(test.data_sets[2].number, 10);
  EXPECT_EQ(test.data_sets[1].outputs, outputs_with(1, 9));
}

TEST(BackendTest, TakesOutputsOfAForeignRun) {
  const TemporaryFolder base;
  write(base.path() / "t");
  put_file(base.path() / "run" / "test_data_set_0" / "output_1.pb", to_tensor_proto(*outputs_with(3, 4)[2], ""));
  const auto test = read_backend_test(base.path() / "t", base.path() / "run");
  EXPECT_FALSE(test.data_sets.at(0).outputs.at(1));
  EXPECT_EQ(test.data_sets.at(0).outputs.at(2), outputs_with(3, 4)[2]);
  const auto nothing = read_backend_test(base.path() / "t", base.path() / "nowhere");
  EXPECT_THAT(nothing.data_sets.at(0).outputs, ElementsAre(std::nullopt, std::nullopt, std::nullopt));
}

TEST(BackendTest, AllowsExternalDataBesideTheModelOnly) {
  const TemporaryFolder base;
  const auto directory = base.path() / "t";
  write(directory);
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(read_file(directory / "model.onnx", 100000)));
  auto& w = *model.mutable_graph()->mutable_initializer(0);
  put_file(directory / "w.bin", w.raw_data());
  put_file(base.path() / "w.bin", w.raw_data());
  w.clear_raw_data();
  w.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& location = *w.add_external_data();
  location.set_key("location");
  location.set_value("w.bin");
  put_file(directory / "model.onnx", model.SerializeAsString());
  EXPECT_EQ(read_backend_test(directory).data_sets.at(0).problem, ragged_problem());
  location.set_value("../w.bin");
  put_file(directory / "model.onnx", model.SerializeAsString());
  EXPECT_THAT(corpus_error_of([&] { read_backend_test(directory); }), HasSubstr("external data '../w.bin'"));
}

TEST(BackendTest, DamageIsNamed) {
  const auto error_after = [](auto damage) {
    const TemporaryFolder base;
    write(base.path() / "t");
    damage(base.path() / "t");
    return corpus_error_of([&] { read_backend_test(base.path() / "t"); });
  };
  const auto set = fs::path("test_data_set_0");
  EXPECT_THAT(error_after([](const fs::path& d) { fs::remove(d / "model.onnx"); }),
              HasSubstr("model.onnx: no such file, expected a readable file"));
  EXPECT_THAT(error_after([](const fs::path& d) { fs::remove_all(d / "test_data_set_0"); }),
              HasSubstr("no test data, expected at least one directory test_data_set_N"));
  EXPECT_THAT(error_after([&](const fs::path& d) { fs::remove(d / set / "input_1.pb"); }),
              HasSubstr("input_1.pb: no such file"));
  EXPECT_THAT(error_after([&](const fs::path& d) { fs::copy(d / set / "input_1.pb", d / set / "input_2.pb"); }),
              HasSubstr("input_2.pb: a tensor file too many, expected 2 as the graph has"));
  EXPECT_THAT(error_after([&](const fs::path& d) { fs::copy(d / set / "output_1.pb", d / set / "output_7.pb"); }),
              HasSubstr("output_7.pb: a tensor file too many"));
  EXPECT_THAT(error_after([&](const fs::path& d) { put_file(d / set / "output_0.pb", "garbage"); }),
              HasSubstr("output_0.pb: 7 bytes that are no protobuf"));
  EXPECT_THAT(error_after([&](const fs::path& d) { fs::rename(d / set / "input_1.pb", d / set / "input_0.pb"); }),
              HasSubstr("input_1.pb: no such file"));
  EXPECT_THAT(error_after([&](const fs::path& d) {
                fs::copy(d / set / "input_1.pb", d / set / "input_0.pb", fs::copy_options::overwrite_existing);
              }),
              HasSubstr("input 'X' is int32 [3], expected float [5,3,4] as the graph declares"));
  EXPECT_THAT(error_after([](const fs::path& d) {
                fs::remove(d / "model.onnx");
                fs::create_directory(d / "model.onnx");
              }),
              HasSubstr("not a regular file"));
  EXPECT_THAT(error_after([](const fs::path& d) { put_file(d / "data.json", "{"); }), HasSubstr("no JSON object"));
  EXPECT_THAT(error_after([](const fs::path& d) { put_file(d / "data.json", "[1]"); }), HasSubstr("no JSON object"));
  EXPECT_THAT(error_after([](const fs::path& d) { put_file(d / "data.json", R"({"cellproof": 3})"); }),
              HasSubstr("\"cellproof\" is no object"));
  EXPECT_THAT(
      error_after([](const fs::path& d) { put_file(d / "data.json", R"({"cellproof": {"expect": "refusal"}})"); }),
      HasSubstr("cellproof.expect is 'refusal', expected \"refuse\" or \"accept\""));
  EXPECT_THAT(error_after([](const fs::path& d) { put_file(d / "data.json", R"({"cellproof": {"clause": 3}})"); }),
              HasSubstr("cellproof.clause is no string"));
  EXPECT_THAT(error_after([](const fs::path& d) { put_file(d / "data.json", std::string(2 << 20, ' ')); }),
              HasSubstr("expected at most 1048576"));
}

TEST(BackendTest, ReadsDirectoriesOfOthers) {
  const TemporaryFolder base;
  write(base.path() / "t");
  fs::remove(base.path() / "t" / "data.json");
  EXPECT_EQ(read_backend_test(base.path() / "t").case_line, "");
  put_file(base.path() / "t" / "data.json", R"({"rtol": 0.1, "url": "x"})");
  EXPECT_FALSE(read_backend_test(base.path() / "t").refuse_clause);
}

TEST(FindBackendTests, InLexicalOrderAndThroughNoLinkButTheOneGiven) {
  const TemporaryFolder base;
  const auto root = base.path();
  for (const char* name : {"b/two", "a", "a/inner", "b/one", "b/.hidden"}) put_file(root / name / "model.onnx", "");
  put_file(root / "c" / "other.onnx", "");
  fs::create_directory_symlink(root, root / "b" / "loop");
  fs::create_directory_symlink("nowhere", root / "dangling");
  const TemporaryFolder elsewhere;
  put_file(elsewhere.path() / "model.onnx", "");
  fs::create_directory_symlink(elsewhere.path(), root / "d");
  EXPECT_THAT(find_backend_tests(root), ElementsAre(root / "a", root / "a/inner", root / "b/one", root / "b/two"));
  EXPECT_THAT(find_backend_tests(root / "d"), ElementsAre(root / "d"));
  EXPECT_THAT(find_backend_tests(root / "a/inner"), ElementsAre(root / "a/inner"));
  EXPECT_THAT(find_backend_tests(root / "c"), IsEmpty());
}

TEST(FindBackendTests, IsFastHoweverDeepTheyLie) {
  const TemporaryFolder base;
  fs::path deep = base.path();
  for (int depth = 0; depth < 1900; ++depth) fs::create_directory(deep /= "d");
  put_file(deep / "model.onnx", "");
  fs::create_directory_symlink("/", base.path() / "d" / "root");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(find_backend_tests(base.path()), ElementsAre(deep));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(FindBackendTests, SaysInALineWhereTheyLieTooDeepToBeNamed) {
  const TemporaryFolder base;
  const fs::path back = fs::current_path();
  fs::current_path(base.path());  // step by step, as no path is long enough
  for (int depth = 0; depth < 3000; ++depth) {
    fs::create_directory("d");
    fs::current_path("d");
  }
  fs::current_path(back);
  const std::string error = corpus_error_of([&] { find_backend_tests(base.path()); });
  EXPECT_THAT(error, HasSubstr("too deep to be named"));
  EXPECT_LT(error.size(), 300U);
}

TEST(FindBackendTests, WantsADirectory) {
  const TemporaryFolder base;
  put_file(base.path() / "file", "");
  EXPECT_THAT(corpus_error_of([&] { find_backend_tests(base.path() / "file"); }), HasSubstr("no directory"));
  EXPECT_THAT(corpus_error_of([&] { find_backend_tests(base.path() / "missing"); }), HasSubstr("no directory"));
}

TEST(WriteBackendTest, RefusesAnExistingTargetAndLeavesItAlone) {
  const TemporaryFolder base;
  put_file(base.path() / "t" / "precious", "mine");
  EXPECT_THAT(corpus_error_of([&] { write(base.path() / "t"); }), HasSubstr("it exists already"));
  EXPECT_THAT(corpus_error_of([&] { write(base.path() / "t/"); }), HasSubstr("it exists already"));
  EXPECT_THAT(everything_below(base.path()), ElementsAre("t/precious"));
  fs::create_symlink("nowhere", base.path() / "dangling");
  EXPECT_THAT(corpus_error_of([&] { write(base.path() / "dangling"); }), HasSubstr("it exists already"));
}

TEST(WriteBackendTest, MakesMissingParents) {
  const TemporaryFolder base;
  write(base.path() / "a" / "b" / "t/");
  EXPECT_TRUE(fs::exists(base.path() / "a" / "b" / "t" / "model.onnx"));
}

TEST(WriteBackendTest, NamesAFolderThatCannotBeWritten) {
  const TemporaryFolder base;
  put_file(base.path() / "file", "");
  EXPECT_THAT(corpus_error_of([&] { write(base.path() / "file" / "t"); }), HasSubstr("cannot make the directory"));
  // Not even root can make a directory there.
  EXPECT_THAT(corpus_error_of([&] { write("/proc/cellproof-test"); }), HasSubstr("cannot make the directory"));
}

/// No file may grow beyond `bytes` while it lives, as on a disk that is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteBackendTest, LeavesNothingBehindWhenTheDiskIsFull) {
  const TemporaryFolder base;
  for (const rlim_t room : {0, 1, 400, 1000}) {  // the model has more than 1000 bytes
    const FileSizeLimit limit(room);
    EXPECT_THAT(corpus_error_of([&] { write(base.path() / "t"); }), HasSubstr("cannot write it: File too large"));
    EXPECT_TRUE(fs::is_empty(base.path())) << room;
  }
  EXPECT_NO_THROW(write(base.path() / "t"));
}

TEST(WriteBackendTest, LeavesNothingBehindWhenAnOutputIsMissing) {
  const TemporaryFolder base;
  auto outputs = outputs_with(1, 2);
  outputs.pop_back();
  EXPECT_THROW(write_backend_test(base.path() / "t", ragged_problem(), outputs, std::nullopt, std::nullopt, "line"),
               std::invalid_argument);
  EXPECT_TRUE(fs::is_empty(base.path()));
}

TEST(WriteBackendTest, WantsAUsableToleranceAndAReadableLine) {
  const TemporaryFolder base;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(write_backend_test(base.path() / "t", ragged_problem(), outputs_with(1, 2), Tolerance{nan, 0},
                                  std::nullopt, "line"),
               std::invalid_argument);
  EXPECT_THROW(
      write_backend_test(base.path() / "t", ragged_problem(), outputs_with(1, 2), std::nullopt, std::nullopt, "\xff"),
      std::invalid_argument);
  EXPECT_TRUE(fs::is_empty(base.path()));
}

}  // namespace
}  // namespace cellproof::corpus
