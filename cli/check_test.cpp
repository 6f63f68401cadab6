// `check` on directories of a foreign run: what it says of an arithmetic, of one damaged element and of a known fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/testing/run_program.hpp"
#include "corpus/backend_test.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
namespace mutants = lab::mutants;
class CheckADirectory : public testing::Test {
 protected:
  /// Answer of `check --json` to the outputs.
  nlohmann::json checked(const Outputs& outputs, int exit_code) const {
    const fs::path directory = folder_ / "case";
    fs::remove_all(directory);
    corpus::write_backend_test(directory, problem_, outputs, std::nullopt, std::nullopt, to_text(case_));
    const ProgramResult result = run_program({"check", "--json", "-", directory.string()});
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    return nlohmann::json::parse(result.out);
  }

  Outputs of_mutant(const char* id) const { return mutants::run(problem_, *mutants::mutant_named(id)); }

  fs::path folder() const { return folder_.path(); }

  Case case_ = plain_case({Operator::LSTM, 22}, ElementType::Float, 32, 4, 32, 32);
  Problem problem_ = make_problem(case_);

 private:
  TemporaryFolder folder_;
};

TEST_F(CheckADirectory, OfAnHonestRunConforms) {
  EXPECT_EQ(checked(mutants::run_without_fault(problem_), 0)["verdict"], "CONFORMS");
}

TEST_F(CheckADirectory, ComputedInTf32IsNamedSo) {
  const nlohmann::json said = checked(of_mutant("tf32-operands"), 1);
  EXPECT_EQ(said["verdict"], "PRECISION") << said;
  EXPECT_EQ(said["contract"], "tf32") << said;
}

TEST_F(CheckADirectory, TakesTheLayoutOfAFrameworkWhereItIsSaid) {
  Outputs outputs = mutants::run_without_fault(problem_);
  const auto [T, N, I, H, D] = dimensions_of(problem_);
  Tensor y(ElementType::Float, {N, T, H});
  for (std::int64_t n = 0; n < N; ++n)
    for (std::int64_t t = 0; t < T; ++t)
      for (std::int64_t h = 0; h < H; ++h) y.set_value({n, t, h}, outputs[output::Y]->value({t, 0, n, h}));
  outputs[output::Y] = y;
  EXPECT_EQ(checked(outputs, 1)["verdict"], "DIVERGES");
  const std::string directory = (folder() / "case").string();
  EXPECT_EQ(run_program({"check", "--layout", "framework", directory}).exit_code, 0);
  const ProgramResult refused = run_program({"check", "--layout", "torch", directory});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("torch"));
}

TEST_F(CheckADirectory, OfADeclaredContractPasses) {
  const fs::path directory = folder() / "declared";
  corpus::write_backend_test(directory, problem_, of_mutant("tf32-operands"), std::nullopt, std::nullopt,
                             to_text(case_));
  const ProgramResult result = run_program({"check", "--contract", "tf32", "--json", "-", directory.string()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["verdict"], "PRECISION");
  const ProgramResult unknown = run_program({"check", "--contract", "tf16", directory.string()});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, testing::HasSubstr("list contracts"));
}

TEST_F(CheckADirectory, WithOneElementOffNamesItsPlaceAndStep) {
  Outputs outputs = mutants::run_without_fault(problem_);
  Tensor& Y = *outputs[output::Y];
  std::size_t place = 0;  // the largest element of row 2 in step 19, where a part in ten thousand is most
  for (std::int64_t unit = 0; unit < 32; ++unit) {
    const std::size_t other = Y.offset({19, 0, 2, unit});
    if (place == 0 || std::abs(Y.value(other)) > std::abs(Y.value(place))) place = other;
  }
  Y.set_value(place, Y.value(place) * 1.0001);
  const nlohmann::json said = checked(outputs, 1);
  EXPECT_EQ(said["verdict"], "DIVERGES") << said;
  EXPECT_EQ(said["first"]["output"], "Y") << said;
  EXPECT_EQ(said["first"]["index"], nlohmann::json(Y.index_of(place))) << said;
  EXPECT_EQ(said["first"]["step"], 19) << said;
}

TEST_F(CheckADirectory, WithASmallElementOffIsNotTakenForAnotherArithmetic) {
  // Small enough for one damaged element, and the step after it, to be most of what there is; TF32 would explain it.
  case_ = plain_case({Operator::LSTM, 22}, ElementType::Float, 3, 1, 4, 3);
  problem_ = make_problem(case_);
  const Outputs honest = mutants::run_without_fault(problem_);
  EXPECT_EQ(checked(of_mutant("tf32-operands"), 1)["contract"], "tf32");
  for (const std::int64_t step : {0, 1}) {
    for (std::int64_t unit = 0; unit < 3; ++unit) {
      Outputs outputs = honest;
      Tensor& Y = *outputs[output::Y];
      const std::size_t place = Y.offset({step, 0, 0, unit});
      Y.set_value(place, Y.value(place) * 1.0001);
      const nlohmann::json said = checked(outputs, 1);
      EXPECT_EQ(said["verdict"], "DIVERGES") << said;
      EXPECT_EQ(said["first"]["index"], nlohmann::json(Y.index_of(place))) << said;
      EXPECT_EQ(said["first"]["step"], step) << said;
    }
  }
}

TEST_F(CheckADirectory, WithGatesSwappedNamesTheFault) {
  const nlohmann::json said = checked(of_mutant("gate-order-ifco"), 1);
  EXPECT_EQ(said["verdict"], "DIVERGES") << said;
  EXPECT_EQ(said["fault"].at(0), "gate-order-ifco") << said;
}

TEST_F(CheckADirectory, WithoutYSaysWhatIsOpenAndFailsOnItWhereStrict) {
  case_ = plain_case({Operator::RNN, 22}, ElementType::Float, 60, 1, 4, 24);
  case_.regime = Regime::Chaotic;
  problem_ = make_problem(case_);
  problem_.outputs = {Presence::Empty, Presence::Given};
  const TemporaryFolder folder;
  const fs::path directory = folder / "case";
  corpus::write_backend_test(directory, problem_, mutants::run_without_fault(problem_), std::nullopt, std::nullopt, "");
  const ProgramResult result = run_program({"check", directory.string()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("expose Y"));
  EXPECT_THAT(result.out, testing::HasSubstr("1 judged, 0 failing, 1 undecided, 0 unreadable"));
  EXPECT_EQ(run_program({"check", "--strict", directory.string()}).exit_code, 1);
}

}  // namespace
}  // namespace cellproof::cli
