#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "corpus/backend_test.hpp"
#include "corpus/files.hpp"

namespace cellproof::corpus {
namespace {

std::string data_json(const Problem& problem, std::optional<Tolerance> tolerance,
                      const std::optional<std::string>& refuse_clause, const std::string& case_line) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (tolerance) {
    const bool usable = std::isfinite(tolerance->rtol) && std::isfinite(tolerance->atol);
    if (!usable) throw std::invalid_argument("a tolerance of a backend test must be finite");
    json["rtol"] = tolerance->rtol;
    json["atol"] = tolerance->atol;
  }
  auto& own = json["cellproof"];
  own["operator"] = to_string(problem.version);
  own["case"] = case_line;
  own["expect"] = refuse_clause ? "refuse" : "accept";
  if (refuse_clause) own["clause"] = *refuse_clause;
  try {
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::type_error&) {
    throw std::invalid_argument("the case line or clause of a backend test is not UTF-8");
  }
}

void write_inputs(const PendingDirectory& pending, const std::string& data_set, const Problem& problem) {
  const auto names = input_names(problem.version.op);
  int file = 0;
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const Input& input = problem.inputs[i];
    if (!is_fed(problem, i)) continue;
    const auto name = i < names.size() ? std::string(names[i]) : fmt::format("input_{}", i);
    write_file(pending.path() / data_set / fmt::format("input_{}.pb", file++), to_tensor_proto(*input.tensor, name));
  }
}

void write_outputs(const PendingDirectory& pending, const std::string& data_set, const Problem& problem,
                   const Outputs& outputs) {
  const auto names = output_names(problem.version.op);
  int file = 0;
  for (std::size_t i = 0; i < problem.outputs.size(); ++i) {
    if (!problem.asks_for(i)) continue;
    const auto name = i < names.size() ? std::string(names[i]) : fmt::format("output_{}", i);
    if (i >= outputs.size() || !outputs[i]) {
      throw std::invalid_argument(fmt::format("output {} is asked for, but not given", name));
    }
    write_file(pending.path() / data_set / fmt::format("output_{}.pb", file++), to_tensor_proto(*outputs[i], name));
  }
}

}  // namespace

void write_backend_test(const std::filesystem::path& directory, const Problem& problem, const Outputs& outputs,
                        std::optional<Tolerance> tolerance, const std::optional<std::string>& refuse_clause,
                        const std::string& case_line) {
  const std::string model = to_model(problem);
  const std::string description = data_json(problem, tolerance, refuse_clause, case_line);
  const std::string data_set = "test_data_set_0";
  PendingDirectory pending(directory);
  pending.make_directory(data_set);
  write_file(pending.path() / "model.onnx", model);
  write_file(pending.path() / "data.json", description);
  write_inputs(pending, data_set, problem);
  if (!outputs.empty()) write_outputs(pending, data_set, problem, outputs);
  pending.commit();
}

}  // namespace cellproof::corpus
