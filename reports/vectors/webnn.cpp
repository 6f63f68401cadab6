#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/vectors/vector_set.hpp"

namespace cellproof::reports {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::string_view test_file = R"js(// META: title=vectors of the WebNN API {op} operation
// META: global=window,dedicatedworker
// META: variant=?cpu
// META: variant=?gpu
// META: variant=?npu
// META: script=../resources/utils.js
// META: timeout=long

'use strict';

// Vectors of ONNX's recurrent operators, version {version}, made by `cellproof vectors`. A tolerance is the least one
// that admits every element's interval.
const {op}Tests = [
{tests}];

const {op}Tolerances = {tolerances};
const {op}ToleranceOfGraph = new Map({op}Tests.map(({{name, graph}}) => [graph, {op}Tolerances[name]]));
const get{Op}PrecisionTolerance = (graphResources) =>
    ({{metricType: 'ATOL', value: {op}ToleranceOfGraph.get(graphResources)}});

if (navigator.ml) {{
  {op}Tests.forEach((test) => {{
    webnn_conformance_test(buildAndExecuteGraph, get{Op}PrecisionTolerance, test);
  }});
}} else {{
  test(() => assert_implements(navigator.ml, 'missing navigator.ml'));
}}
)js";

bool is_finite_tensor(const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (!std::isfinite(tensor.value(i))) return false;
  }
  return true;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// A WebNN operation and the names of what it takes besides input, weight and recurrentWeight.
struct Operation {
  Operator onnx;
  std::string_view name, title;
  std::size_t gates, functions;
};
constexpr Operation operations[] = {{Operator::LSTM, "lstm", "Lstm", 4, 3}, {Operator::GRU, "gru", "Gru", 3, 2}};

/// One vector as a conformance test: what the two standards have in common.
class WebnnTest {
 public:
  WebnnTest(const Operation& operation, const Vector& vector)
      : operation_(operation), vector_(vector), problem_(vector.problem) {}

  /// Nothing where WebNN lacks what the vector has, or a tolerance cannot say what is right.
  std::optional<Ordered> test() {
    if (problem_.version.op != operation_.onnx || vector_.ways.size() != 1 || !has_its_attributes())
      return std::nullopt;
    size_ = dimensions_of(problem_);
    if (std::min({size_.T, size_.N, size_.I, size_.H}) < 1 || !take_functions() || !take_inputs()) return std::nullopt;
    Ordered outputs = expected();
    if (outputs.empty()) return std::nullopt;
    Ordered arguments = Ordered::array();
    arguments.push_back({{"input", named("Input")}});
    arguments.push_back({{"weight", named("Weight")}});
    arguments.push_back({{"recurrentWeight", named("RecurrentWeight")}});
    arguments.push_back({{"steps", size_.T}});
    arguments.push_back({{"hiddenSize", size_.H}});
    if (!options_.empty()) arguments.push_back({{"options", options_}});
    const Ordered node{{"name", operation_.name}, {"arguments", arguments}, {"outputs", output_names_}};
    return Ordered{
        {"name", vector_.name},
        {"graph", {{"inputs", inputs_}, {"operators", Ordered::array({node})}, {"expectedOutputs", outputs}}}};
  }

  double tolerance() const { return tolerance_; }

 private:
  std::string named(std::string_view what) const { return fmt::format("{}{}", operation_.name, what); }

  bool has_its_attributes() const {
    const Attributes& a = problem_.attributes;
    const ElementType type = problem_.input(input::X)->type();
    return (type == ElementType::Float || type == ElementType::Float16) && !a.clip && !a.activation_alpha &&
           !a.activation_beta && a.others.empty() && a.input_forget.value_or(0) == 0 && a.layout.value_or(0) == 0 &&
           a.linear_before_reset.value_or(0) / 2 == 0 && !problem_.input(input::sequence_lens);
  }

  /// One list for both directions, of three functions.
  bool take_functions() {
    if (problem_.attributes.direction.value_or("forward") != "forward")
      options_["direction"] = size_.D == 2 ? "both" : "backward";
    if (operation_.onnx == Operator::GRU)
      options_["resetAfter"] = problem_.attributes.linear_before_reset.value_or(0) != 0;
    const auto& names = problem_.attributes.activations;
    if (!names) return true;
    const std::size_t count = operation_.functions;
    if (names->size() != count * static_cast<std::size_t>(size_.D)) return false;
    Ordered list = Ordered::array();
    for (std::size_t k = 0; k < names->size(); ++k) {
      const std::string name = lower_case((*names)[k]);
      if (name != "relu" && name != "sigmoid" && name != "tanh") return false;
      if (k >= count && list[k - count] != name) return false;
      if (k < count) list.push_back(name);
    }
    options_["activations"] = std::move(list);
    return true;
  }

  bool take_inputs() {
    for (std::size_t k = 0; k < problem_.inputs.size(); ++k) {
      if (problem_.inputs[k].tensor && !is_finite_tensor(*problem_.inputs[k].tensor)) return false;
    }
    add(input::X, "Input");
    add(input::W, "Weight");
    add(input::R, "RecurrentWeight");
    if (const Tensor* B = problem_.input(input::B)) {
      add_half(*B, 0, "Bias");
      add_half(*B, 1, "RecurrentBias");
      options_["bias"] = named("Bias");
      options_["recurrentBias"] = named("RecurrentBias");
    }
    constexpr std::pair<std::size_t, std::string_view> others[] = {
        {input::P, "PeepholeWeight"}, {input::initial_h, "InitialHiddenState"}, {input::initial_c, "InitialCellState"}};
    for (const auto& [position, what] : others) {
      if (!problem_.input(position)) continue;
      add(position, what);
      std::string option(what);
      option[0] = static_cast<char>(std::tolower(option[0]));
      options_[option] = named(what);
    }
    return true;
  }

  Ordered operand(const Shape& shape, std::vector<double> numbers) const {
    const bool half = problem_.input(input::X)->type() == ElementType::Float16;
    return {{"data", std::move(numbers)},
            {"descriptor", {{"shape", shape}, {"dataType", half ? "float16" : "float32"}}}};
  }
  static std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < tensor.size(); ++i) numbers.push_back(tensor.value(i));
    return numbers;
  }

  void add(std::size_t position, std::string_view what) {
    const Tensor& tensor = *problem_.input(position);
    inputs_[named(what)] = operand(tensor.shape(), numbers_of(tensor));
    if (problem_.inputs[position].source != Source::GraphInput) inputs_[named(what)]["constant"] = true;
  }
  /// The biases of W or those of R: the halves of each direction's row.
  void add_half(const Tensor& B, std::size_t half, std::string_view what) {
    const auto rows = operation_.gates * static_cast<std::size_t>(size_.H);
    std::vector<double> numbers;
    for (std::size_t d = 0; d < static_cast<std::size_t>(size_.D); ++d) {
      for (std::size_t k = 0; k < rows; ++k) numbers.push_back(B.value((2 * d + half) * rows + k));
    }
    inputs_[named(what)] = operand({size_.D, static_cast<std::int64_t>(rows)}, std::move(numbers));
    if (problem_.inputs[input::B].source != Source::GraphInput) inputs_[named(what)]["constant"] = true;
  }

  /// The outputs in WebNN's order, and those of them that are compared. WebNN does not say in which order a backward
  /// sequence stands.
  Ordered expected() {
    Ordered outputs = Ordered::object();
    const VectorWay& way = vector_.ways.front();
    const auto take = [&](std::size_t position, std::string_view what) {
      output_names_.push_back(named(what));
      if (position >= way.outputs.size() || !way.outputs[position]) return true;
      const VectorOutput& output = *way.outputs[position];
      if (!widen(output)) return false;
      outputs[named(what)] = operand(output.value.shape(), numbers_of(output.value));
      return true;
    };
    const bool forward = !options_.contains("direction");
    const bool sequence = forward && way.outputs[output::Y].has_value();
    if (sequence) options_["returnSequence"] = true;
    const bool sayable = take(output::Y_h, "Output") &&
                         (operation_.onnx != Operator::LSTM || take(output::Y_c, "Cell")) &&
                         (!sequence || take(output::Y, "Sequence"));
    return sayable ? outputs : Ordered::object();
  }

  /// Makes the tolerance wide enough for an output; false where none is.
  bool widen(const VectorOutput& output) {
    if (!output.nan.empty()) return false;
    for (std::size_t i = 0; i < output.value.size(); ++i) {
      const double value = output.value.value(i);
      const double distance = std::max(output.hi.value(i) - value, value - output.lo.value(i));
      if (!std::isfinite(distance) || distance < 0) return false;
      tolerance_ = std::max(tolerance_, distance);
    }
    return true;
  }

  const Operation& operation_;
  const Vector& vector_;
  const Problem& problem_;
  Dimensions size_{};
  Ordered inputs_ = Ordered::object(), options_ = Ordered::object(), output_names_ = Ordered::array();
  double tolerance_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> render_webnn(const VectorSet& set) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Operation& operation : operations) {
    std::string tests;
    Ordered tolerances = Ordered::object();
    for (const Vector& vector : set.vectors) {
      WebnnTest made(operation, vector);
      const auto test = made.test();
      if (!test) continue;
      tests += test->dump() + ",\n";
      tolerances[vector.name] = made.tolerance();
    }
    files.emplace_back(fmt::format("{}.https.any.js", operation.name),
                       fmt::format(fmt::runtime(test_file), fmt::arg("op", operation.name),
                                   fmt::arg("Op", operation.title), fmt::arg("version", set.version),
                                   fmt::arg("tests", tests), fmt::arg("tolerances", tolerances.dump())));
  }
  return files;
}

}  // namespace cellproof::reports
