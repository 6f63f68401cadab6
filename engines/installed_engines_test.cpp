// The list of installable engines, and each of them on known values where it is installed.
#include "engines/installed_engines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "engines/paths.hpp"
#include "engines/testing/engines.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An environment variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(InstalledEngines, AreLookedForInTheUsersFolder) {
  const Variable data("XDG_DATA_HOME", "/nonexistent/data");
  EXPECT_EQ(installed_engines_folder(), "/nonexistent/data/cellproof/engines");
  for (const KnownEngine& engine : installable_engines()) {
    EXPECT_THAT(engine.absent, ::testing::MatchesRegex(".* [0-9.]+ is not installed: `cellproof install .*`"));
    EXPECT_FALSE(engine.by_default) << engine.name;
  }
  EXPECT_EQ(make_engine("tract")->absence(), "tract 0.23.9 is not installed: `cellproof install tract`");
  const Variable relative("XDG_DATA_HOME", "data"), home("HOME", "/nonexistent/home");
  EXPECT_EQ(installed_engines_folder(), "/nonexistent/home/.local/share/cellproof/engines");
}

TEST(InstalledEngines, TheListFillsInFoldersAndVersions) {
  const TemporaryFolder folder;
  const Variable pins("CELLPROOF_ENGINE_PINS", (folder / "pins.json").string());
  const Variable data("XDG_DATA_HOME", folder.path().string());
  std::ofstream(folder / "pins.json") << R"({
    "installs": [{"name": "a", "packages": [{"name": "a", "version": "1.2"}, {"name": "b", "version": "3"}]}],
    "engines": [{"name": "a@x", "install": "a", "what": "A {a} on {b}", "command": ["{folder}/bin/a", "{b}.so"]}]})";
  const auto engines = installable_engines();
  ASSERT_EQ(engines.size(), 1u);
  EXPECT_EQ(engines[0].name, "a@x");
  EXPECT_EQ(engines[0].what, "A 1.2 on 3");
  EXPECT_EQ(engines[0].absent, "a 1.2 is not installed: `cellproof install a`");
  const std::string installed = (folder / "cellproof/engines/a-1.2").string();
  EXPECT_THAT(engines[0].command, ElementsAre(installed + "/bin/a", "3.so"));
  std::filesystem::create_directories(installed);
  EXPECT_EQ(installable_engines()[0].absent, "");
}

TEST(InstalledEngines, ARuntimeBesideTheInterpreterNeedsNoFolder) {
  const TemporaryFolder folder;
  const Variable pins("CELLPROOF_ENGINE_PINS", (folder / "pins.json").string());
  const Variable data("XDG_DATA_HOME", folder.path().string());
  const Variable python("CELLPROOF_ENGINE_PYTHON", "/some/python"), beside("CELLPROOF_BESIDE", "aa=9 a=4.5 b=6");
  std::ofstream(folder / "pins.json") << R"({
    "installs": [{"name": "a", "packages": [{"name": "a", "version": "1.2"}]},
                 {"name": "c", "packages": [{"name": "c", "version": "3"}]},
                 {"name": "b", "packages": [{"name": "b", "version": "7"}]}],
    "engines": [{"name": "a", "install": "a", "what": "A {a}", "command": ["{python}", "w.py"]},
                {"name": "c", "install": "c", "what": "C {c}", "command": ["{python}", "w.py"]},
                {"name": "b", "install": "b", "what": "B {b}", "command": ["{folder}/b"]}]})";
  const auto engines = installable_engines();
  ASSERT_EQ(engines.size(), 3u);
  EXPECT_EQ(engines[0].what, "A 4.5");
  EXPECT_EQ(engines[0].absent, "");
  EXPECT_THAT(engines[0].command, ElementsAre("/some/python", "w.py"));
  EXPECT_EQ(engines[1].absent, "c 3 is not installed: `cellproof install c`");
  EXPECT_THAT(engines[2].absent, HasSubstr("is not installed"));  // it is started from its folder alone
  const std::string installed = (folder / "cellproof/engines/a-1.2").string();
  std::filesystem::create_directories(installed);
  EXPECT_EQ(installable_engines()[0].what, "A 1.2");
  EXPECT_THAT(installable_engines()[0].command, ElementsAre(installed + "/bin/python", "w.py"));
}

TEST(InstalledEngines, AListThatCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  const Variable pins("CELLPROOF_ENGINE_PINS", (folder / "pins.json").string());
  EXPECT_TRUE(installable_engines().empty());
  for (const char* text :
       {"{", R"({"engines": []})", R"({"installs": [], "engines": [{"name": "x", "install": "y"}]})"}) {
    std::ofstream(folder / "pins.json") << text;
    try {
      installable_engines();
      FAIL() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("pins.json: the list of installable engines cannot be read: "));
    }
  }
}

/// One step of an LSTM without biases whose four gates have the same weight: o tanh(i c~), of X = 1 and W = 0.5.
Problem easy_lstm() {
  Problem problem;
  problem.version = {Operator::LSTM, 14};
  problem.attributes.hidden_size = 1;
  const auto tensor = [](Shape shape, std::vector<double> values) {
    return Tensor::from_values(ElementType::Float, std::move(shape), values);
  };
  problem.inputs = {{Presence::Given, Source::GraphInput, tensor({1, 1, 1}, {1})},
                    {Presence::Given, Source::Initializer, tensor({1, 4, 1}, {0.5, 0.5, 0.5, 0.5})},
                    {Presence::Given, Source::Initializer, tensor({1, 4, 1}, {0, 0, 0, 0})}};
  problem.outputs = {Presence::Given, Presence::Given, Presence::Given};
  return problem;
}

struct Declared {
  const char* engine;
  const char* version;  ///< how it begins
  std::optional<ContractId> contract;
  double tolerance;  ///< that the contract leaves one step of easy_lstm()
};

/// Names a test of it.
void PrintTo(const Declared& declared, std::ostream* out) {
  *out << declared.engine;
}

class InstalledEngine : public ::testing::TestWithParam<Declared> {};

TEST_P(InstalledEngine, ComputesAnLstmThatIsEasyByHand) {
  const auto& [name, version, contract, tolerance] = GetParam();
  const auto engine = make_engine(name);
  const std::string absence = engine->absence();
  if (absence.find(" is not installed: ") != std::string::npos ||
      absence.find("no instructions for bfloat16") != std::string::npos)
    GTEST_SKIP() << name << ": " << absence;
  ASSERT_EQ(absence, "");
  EXPECT_THAT(engine->describe().version, ::testing::StartsWith(version));
  EXPECT_EQ(engine->describe().contract, contract);
  const Outcome outcome = engine->run(easy_lstm());
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message << engine->take_log();
  ASSERT_EQ(outcome.outputs.size(), 3u);
  const double gate = 1 / (1 + std::exp(-0.5)), cell = gate * std::tanh(0.5), hidden = gate * std::tanh(cell);
  EXPECT_NEAR(outcome.outputs[0]->value(0), hidden, tolerance);
  EXPECT_NEAR(outcome.outputs[1]->value(0), hidden, tolerance);
  EXPECT_NEAR(outcome.outputs[2]->value(0), cell, tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, InstalledEngine,
                         ::testing::Values(Declared{"openvino", "2026.", std::nullopt, 1e-6},
                                           Declared{"openvino@bf16", "2026.", ContractId::F32InBf16, 1e-2},
                                           Declared{"tract", "0.23", std::nullopt, 1e-6},
                                           Declared{"onnxruntime-ggml", "0.2", std::nullopt, 1e-6},
                                           Declared{"onnxruntime-qnn", "2.7", ContractId::F32InF16, 2e-3}),
                         [](const auto& test) {
                           std::string name = test.param.engine;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '@'; }, '_');
                           return name;
                         });

/// A new engine of the list needs a row above.
TEST(InstalledEngines, EachIsTestedOnKnownValues) {
  std::vector<std::string> names;
  for (const KnownEngine& engine : installable_engines()) names.push_back(engine.name);
  EXPECT_THAT(names, ElementsAre("openvino", "openvino@bf16", "tract", "onnxruntime-ggml", "onnxruntime-qnn"));
}

TEST(InstalledEngines, AProgramWithoutThePackageSaysWhereToGetIt) {
  const Variable package("CELLPROOF_PYTHON_PACKAGE", "/nonexistent/package");
  EXPECT_THAT([] { become_package_program("_on.py", {}); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  HasSubstr("/nonexistent/package/_on.py is missing: `pip install 'cellproof[ray]'`")));
}

}  // namespace
}  // namespace cellproof::engines
