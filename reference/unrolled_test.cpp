// The second transcription: unrolled/unroll.py builds each case from MatMul, Add, Sigmoid ... and has ONNX's reference
// evaluator compute it in 64 bits. It knows the operators' pages, not this code; where both agree, the meaning is
// right.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "reference/bin_float_real.hpp"
#include "reference/reference.hpp"
#include "reference/rounding.hpp"
#include "reference/testing/cases.hpp"
#include "spec/rules/activations.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::reference {
namespace {

using nlohmann::json;

json to_json(const Problem& problem, const std::string& name) {
  json attributes = json::object();
  const auto put = [&](const char* key, const auto& value) {
    if (value) attributes[key] = *value;
  };
  const Attributes& a = problem.attributes;
  put("activations", a.activations);
  put("activation_alpha", a.activation_alpha);
  put("activation_beta", a.activation_beta);
  put("clip", a.clip);
  put("direction", a.direction);
  put("input_forget", a.input_forget);
  put("layout", a.layout);
  put("linear_before_reset", a.linear_before_reset);
  json inputs = json::object();
  for (std::size_t position = 0; position < problem.inputs.size(); ++position) {
    const Tensor* tensor = problem.input(position);
    if (!tensor) continue;
    std::vector<double> values;
    for (std::size_t i = 0; i < tensor->size(); ++i) values.push_back(tensor->value(i));
    inputs[std::string(input_names(problem.version.op)[position])] = {{"shape", tensor->shape()}, {"values", values}};
  }
  return {{"name", name}, {"op", cellproof::name(problem.version.op)}, {"attributes", attributes}, {"inputs", inputs}};
}

json unrolled(const json& cases) {
  const TemporaryFolder scratch;
  std::ofstream(scratch / "cases.json") << cases;
  const std::string root = CELLPROOF_SOURCE_DIR;
  const std::string command = "'" + root + "/.deps/onnx-reference-1.23.2/bin/python' -W error '" + root +
                              "/reference/unrolled/unroll.py' '" + (scratch / "cases.json").string() + "' '" +
                              (scratch / "results.json").string() + "'";
  if (const int status = std::system(command.c_str()); status != 0) {
    throw std::runtime_error("unroll.py failed with status " + std::to_string(status) + ": " + command);
  }
  std::ifstream results(scratch / "results.json");
  return json::parse(results);
}

/// Both agree to 1e-12 of the largest magnitude of the case (of 1, where that is larger).
void expect_agreement(const Trajectory<BinFloat50>& ours, const json& theirs, const std::string& name) {
  const std::pair<const char*, const std::vector<BinFloat50>*> outputs[] = {
      {"Y", &ours.Y}, {"Y_h", &ours.Y_h}, {"Y_c", &ours.Y_c}};
  double largest = 1;
  for (const auto& [key, values] : outputs) {
    for (const BinFloat50& value : *values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  ASSERT_TRUE(std::isfinite(largest)) << name;
  for (const auto& [key, values] : outputs) {
    if (!theirs.contains(key)) {
      EXPECT_TRUE(values->empty()) << name << " " << key;
      continue;
    }
    EXPECT_EQ(theirs[key]["shape"].get<Shape>(), key == std::string("Y") ? ours.Y_shape : ours.state_shape) << name;
    const auto expected = theirs[key]["values"].get<std::vector<double>>();
    ASSERT_EQ(expected.size(), values->size()) << name << " " << key;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double actual = round_once((*values)[i], float_format(ElementType::Double));
      ASSERT_NEAR(actual, expected[i], 1e-12 * largest) << name << " " << key << "[" << i << "]";
    }
  }
}

TEST(SecondTranscription, AgreesOnEveryAttributeValueOfEveryVersionAndOnRandomCases) {
  std::vector<testing::NamedCase> cases;
  for (OperatorVersion version : all_operator_versions()) {
    for (auto& named : testing::systematic_cases(version)) cases.push_back(std::move(named));
    for (std::uint64_t seed = 5000; seed < 5010; ++seed) {
      cases.push_back({to_string(version) + " random " + std::to_string(seed), testing::random_case(version, seed)});
    }
  }
  ASSERT_GE(cases.size(), 300U);
  json described = json::array();
  std::set<std::string> names;
  for (const auto& [name, c] : cases) {
    described.push_back(to_json(make_problem(c), name));
    EXPECT_TRUE(names.insert(name).second) << "two cases are called " << name;
  }
  const json results = unrolled(described);
  ASSERT_EQ(results.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ(results[i]["name"], cases[i].name);
    expect_agreement(evaluate<BinFloat50>(make_problem(cases[i].c)), results[i], cases[i].name);
  }
  RecordProperty("cases", static_cast<int>(cases.size()));
}

}  // namespace
}  // namespace cellproof::reference
