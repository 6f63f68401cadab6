// No law is broken by an engine that computes rightly: in whatever order and precision its contract admits, and under
// whichever reading of an open clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/zoo/zoo.hpp"
#include "reference/reference.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

using Kind = LawResult::Kind;
Outcome ran(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

LawResult tried(const Law& law, const Problem& problem, const engines::Probe& engine,
                std::optional<ContractId> declared = std::nullopt) {
  return try_law(law, problem, engine, [&](const Problem& each, int) { return engine(each); }, {declared, false});
}

/// Number of laws that hold; none may be broken.
std::size_t laws_that_hold(const Case& c, const std::string& who, const engines::Probe& engine,
                           std::optional<ContractId> declared = std::nullopt) {
  const Problem problem = make_problem(c);
  std::size_t holding = 0;
  for (const Law& law : laws()) {
    const LawResult result = tried(law, problem, engine, declared);
    EXPECT_NE(result.kind, Kind::Broken) << law.id << " for " << who << ": " << result.message << "\n" << to_text(c);
    holding += result.kind == Kind::Holds;
  }
  return holding;
}

/// `usually`, or as many as LAW_CASES in the environment says, to search further.
std::size_t searched(std::size_t usually) {
  const char* more = std::getenv("LAW_CASES");
  return more != nullptr ? std::stoul(more) : usually;
}

TEST(HonestLaws, HoldForEveryStyleOfTheZoo) {
  std::size_t holding = 0;
  for (std::uint64_t index = 0; index < searched(300); ++index) {
    const Case c = case_of(drawn_recipe(11, index));
    const auto& style = lab::zoo::styles()[index % lab::zoo::styles().size()];
    holding += laws_that_hold(c, std::string(style.name),
                              [&](const Problem& problem) { return ran(lab::zoo::run(problem, style, index)); });
  }
  EXPECT_GT(holding, searched(300) * 8);
}

/// Every reading of what the case leaves open, computed by the naive reference.
std::vector<Readings> readings_of(const Problem& problem) {
  std::vector<Readings> all{Readings{}};
  for (const Clause clause : clauses_touched(problem)) {
    if (info(clause).kind != ClauseKind::Value) continue;
    const std::size_t before = all.size();
    for (const std::string_view value : reading_ids(info(clause))) {
      if (value == "refuse" || value == info(clause).readings.front().id) continue;
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause, value));
    }
  }
  return all;
}

/// Drawn cases do not leave all open that a case may.
Case opened(Case c, std::uint64_t index) {
  static constexpr std::array<std::pair<const char*, const char*>, 5> values = {
      {{"clip", "biting"}, {"input_forget", "1"}, {"linear_before_reset", "2"}, {"alpha", "short"}, {"clip", "zero"}}};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto& [name, value] = values[k];
    if (index >> k & 1U && std::ranges::count(axis(name).values(c.version), value) > 0) c = axis(name).apply(c, value);
  }
  return c;
}

TEST(HonestLaws, HoldUnderReadingsOfDrawnCases) {
  std::size_t holding = 0;
  for (std::uint64_t index = 0; index < searched(100); ++index) {
    const Case c = opened(case_of(drawn_recipe(12, index)), index);
    if (c.version.op == Operator::DynamicQuantizeLSTM) continue;
    const std::vector<Readings> all = readings_of(make_problem(c));
    const Readings& readings = all[index * 7 % all.size()];
    holding += laws_that_hold(c, ::testing::PrintToString(readings.differences()),
                              [&](const Problem& problem) { return ran(reference::run(problem, readings)); });
  }
  EXPECT_GT(holding, searched(100) * 5);
}

struct Open {
  const char* name;
  const char* line;
  std::size_t least;  ///< so many laws speak of it, at least
};

const Open open_cases[] = {
    {"Plain", "op=LSTM-14 type=float T=3 N=2 I=3 H=4 B=given initial_h=given initial_c=given", 24},
    {"WideClip", "op=LSTM-14 type=float T=3 N=2 I=3 H=4 B=given initial_h=given initial_c=given clip=1000", 24},
    {"BitingClip", "op=LSTM-14 type=float T=3 N=2 I=3 H=4 B=given initial_h=given initial_c=given clip=0.5", 24},
    {"Coupled", "op=LSTM-14 type=float T=3 N=2 I=3 H=4 B=given initial_h=given initial_c=given P=given input_forget=1",
     24},
    {"CoupledAndClipped", "op=LSTM-14 type=float T=3 N=2 I=3 H=4 B=given clip=0.5 input_forget=1", 22},
    {"ClipOfZero", "op=GRU-14 type=float T=3 N=2 I=3 H=4 B=given clip=0", 18},
    {"ThresholdedRelu", "op=RNN-14 type=float T=3 N=2 I=3 H=4 activations=ThresholdedRelu", 18},
    {"DefaultsInDouble", "op=RNN-14 type=double T=3 N=2 I=3 H=4 activations=LeakyRelu", 18},
    {"OpenDefaults", "op=RNN-14 type=float T=3 N=2 I=3 H=4 activations=Affine", 16},
    {"LinearBeforeReset", "op=GRU-14 type=float T=3 N=2 I=3 H=4 B=given linear_before_reset=2", 18},
    {"ListsOfParameters",
     "op=RNN-14 type=float T=3 N=2 I=3 H=4 direction=bidirectional activations=Elu,LeakyRelu activation_alpha=0.5", 14},
};

class HonestReadings : public ::testing::TestWithParam<Open> {};

TEST_P(HonestReadings, KeepEveryLaw) {
  const Case c = parse_case(std::string("cellproof-case/1 ") + GetParam().line);
  for (const Readings& readings : readings_of(make_problem(c))) {
    const std::size_t holding =
        laws_that_hold(c, ::testing::PrintToString(readings.differences()),
                       [&](const Problem& problem) { return ran(reference::run(problem, readings)); });
    EXPECT_GE(holding, GetParam().least);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, HonestReadings, ::testing::ValuesIn(open_cases),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// A tensor's numbers, in another type.
Tensor in_type(const Tensor& tensor, ElementType type) {
  Tensor other(type, tensor.shape());
  for (std::size_t k = 0; k < tensor.size(); ++k) other.set_value(k, tensor.value(k));
  return other;
}

/// Double, computed in float.
Outcome via_float(const Problem& problem) {
  Problem narrow = problem;
  for (Input& in : narrow.inputs) {
    if (in.tensor && in.tensor->type() == ElementType::Double) in.tensor = in_type(*in.tensor, ElementType::Float);
  }
  Outputs outputs = lab::zoo::run(narrow, lab::zoo::styles().front(), 0);
  for (auto& output : outputs) {
    if (output && problem.input(input::X)->type() == ElementType::Double)
      output = in_type(*output, ElementType::Double);
  }
  return ran(std::move(outputs));
}

/// Laws accept, too, what the judge accepts of an engine that declares its contract.
TEST(HonestLaws, HoldUnderTheContractThatAnEngineDeclares) {
  std::size_t holding = 0, broken_otherwise = 0;
  for (const char* line : {"op=LSTM-14 type=double T=3 N=2 I=3 H=4 B=given initial_h=given",
                           "op=GRU-22 type=double T=3 N=2 I=5 H=4 B=given direction=bidirectional",
                           "op=RNN-14 type=double T=3 N=3 I=3 H=4 B=given", "op=RNN-14 type=float T=3 N=2 I=3 H=4"}) {
    const Case c = parse_case(std::string("cellproof-case/1 ") + line);
    holding += laws_that_hold(c, "double in float", via_float, ContractId::F64ViaF32);
    for (const Law& law : laws())
      broken_otherwise += tried(law, make_problem(c), via_float, std::nullopt).kind == Kind::Broken;
  }
  EXPECT_GT(holding, 60U);
  EXPECT_GT(broken_otherwise, 3U);
}

/// Factors of products rounded to 11 bits: by powers of two exactly alike.
TEST(HonestLaws, HoldForTf32WhereItIsDeclared) {
  const lab::mutants::Mutant& rounding = *lab::mutants::mutant_named("tf32-operands");
  std::size_t holding = 0;
  for (std::uint64_t index = 0; index < searched(200); ++index) {
    const Case c = case_of(drawn_recipe(13, index));
    if (c.type != ElementType::Float || c.version.op == Operator::DynamicQuantizeLSTM) continue;
    const auto engine = [&](const Problem& problem) { return ran(lab::mutants::run(problem, rounding)); };
    holding += laws_that_hold(c, "tf32", engine, ContractId::Tf32);
  }
  EXPECT_GT(holding, searched(200) * 4);
}

}  // namespace
}  // namespace cellproof::fuzz
