#include "campaign/run_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

#include "corpus/model.hpp"
#include "engines/one_line.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

/// Names of numpy, which every Python runtime brings along. It has none for bfloat16.
std::string_view numpy_name(ElementType type) {
  switch (type) {
    case ElementType::Float16:
      return "<f2";
    case ElementType::Float:
      return "<f4";
    case ElementType::Double:
      return "<f8";
    case ElementType::Int8:
      return "i1";
    case ElementType::UInt8:
      return "u1";
    case ElementType::Int32:
      return "<i4";
    case ElementType::Int64:
      return "<i8";
    default:
      return "";
  }
}

bool numpy_has_all_types(const Problem& problem) {
  for (std::size_t i = 0; i < problem.inputs.size(); ++i)
    if (is_fed(problem, i) && numpy_name(problem.inputs[i].tensor->type()).empty()) return false;
  return true;
}

/// Bytes as a Python expression, in lines that a person can scroll past.
std::string python_bytes(std::string_view bytes) {
  constexpr std::size_t bytes_of_line = 48;
  std::string text = "bytes.fromhex(";
  for (std::size_t k = 0; k < bytes.size(); k += bytes_of_line) {
    text += "\n    \"";
    for (const char c : bytes.substr(k, bytes_of_line)) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    text += '"';
  }
  return text + (bytes.empty() ? "\"\")" : ")");
}

/// The graph inputs by name. numpy reads the elements of ONNX Runtime's; other packages bring a reader of ONNX's.
std::string inputs_of(const Problem& problem, bool with_numpy_alone) {
  std::string text = "inputs = {}\n";
  const auto names = input_names(problem.version.op);
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const Input& in = problem.inputs[i];
    if (!is_fed(problem, i)) continue;
    const std::string name = i < names.size() ? std::string(names[i]) : fmt::format("input_{}", i);
    const Tensor& tensor = *in.tensor;
    if (with_numpy_alone) {
      const std::string_view bytes(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
      text += fmt::format("inputs[\"{}\"] = np.frombuffer({}, \"{}\").reshape([{}])\n", name, python_bytes(bytes),
                          numpy_name(tensor.type()), fmt::join(tensor.shape(), ", "));
    } else {
      text += fmt::format("inputs[\"{}\"] = numpy_helper.to_array(onnx.TensorProto.FromString({}))\n", name,
                          python_bytes(corpus::to_tensor_proto(tensor, name)));
    }
  }
  return text;
}

/// Python lines for a runtime's package.
struct Runtime {
  std::string what;     ///< the first line of the file
  std::string imports;  ///< besides sys and numpy
  bool with_numpy_alone = false;
  std::string calls;  ///< lines that make `outputs`, by name, of `model` and `inputs`
};

/// Does the finding show in a value?
bool shows_in_a_value(const Finding& finding) {
  const std::optional<FirstViolation>& first = finding.reduction->first;
  return finding.outcome == OutcomeKind::Ran && !finding.flaky && first && !first->index.empty() && first->expected &&
         first->actual && finding.judgement.kind != ViolationKind::Memory;
}

bool must_be_refused(const Finding& finding) {
  return finding.outcome == OutcomeKind::Ran && !finding.flaky && finding.expectation.kind == Expectation::Kind::Refuse;
}

bool dies(const Finding& finding) {
  return !finding.flaky && (finding.outcome == OutcomeKind::Crashed || finding.outcome == OutcomeKind::TimedOut);
}

/// The runtime in a process of its own, whose death it tells.
constexpr std::string_view outer_process = R"(if "INSIDE" not in os.environ:
    try:
        code = subprocess.run([sys.executable, *sys.argv], env={**os.environ, "INSIDE": "1"}, timeout=60).returncode
    except subprocess.TimeoutExpired:
        code = -1
    print("the process dies or hangs" if code < 0 else "the process lives")
    sys.exit(1 if code < 0 else 0)
)";

std::string indented(const std::string& lines) {
  std::string text = "    ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "    ";
  }
  text.resize(text.size() - 4);
  return text;
}

constexpr std::string_view prints_all =
    "for name, value in outputs.items():\n"
    "    print(name, np.asarray(value).tolist())\n";

/// Python lines that print the first wrong element, and exit by it.
std::string decides_by_value(const FirstViolation& first) {
  return fmt::format(
      "value = float(np.asarray(outputs[\"{0}\"])[{1}])\n"
      "expected, wrong = float(\"{2}\"), float(\"{3}\")\n"
      "print(\"{0}[{1}] must be {2}, it was {3}, here it is\", value)\n"
      "# Where it is no number, the distances say nothing.\n"
      "right = value == expected or abs(value - expected) < abs(value - wrong) or (wrong != wrong and value == value)\n"
      "sys.exit(0 if right else 1)\n",
      output_name(first), fmt::format("{}", fmt::join(first.index, ", ")), expected_text(first), actual_text(first));
}

RunScript script(const Problem& problem, const Finding& finding, const std::string& how, const Runtime& runtime) {
  std::string text = fmt::format("\"\"\"{}\"\"\"\n{}import sys\n\nimport numpy as np\n{}\n", runtime.what,
                                 dies(finding) ? "import os\nimport subprocess\n" : "", runtime.imports);
  if (dies(finding)) text += outer_process;
  text += fmt::format("model = {}\n{}", python_bytes(corpus::to_model(problem)),
                      inputs_of(problem, runtime.with_numpy_alone));
  if (must_be_refused(finding)) {
    text += "try:\n" + indented(runtime.calls) +
            "except Exception as error:\n    print(\"refused:\", error)\n    sys.exit(0)\n" + std::string(prints_all) +
            "print(\"it ran; the model is not valid and must be refused\")\nsys.exit(1)\n";
    return {how, text, true};
  }
  text += runtime.calls;
  text += prints_all;
  if (shows_in_a_value(finding)) text += decides_by_value(*finding.reduction->first);
  return {how, text, shows_in_a_value(finding) || dies(finding)};
}

/// Is it ONNX Runtime's CPU code in a version that has a package? A build of somebody's own bears its folder's name.
bool is_released_onnxruntime(const Finding& finding) {
  return finding.engine == "onnxruntime" || finding.engine == "onnxruntime@" + finding.engine_version;
}

RunScript for_onnxruntime(const Problem& problem, const Finding& finding) {
  const std::string version = engines::one_line(finding.engine_version);
  return script(
      problem, finding, fmt::format("`pip install onnxruntime=={} && python3 run.py`", version),
      {"Runs a model on ONNX Runtime; needs nothing but its Python package.", "import onnxruntime as ort\n", true,
       "session = ort.InferenceSession(model, providers=[\"CPUExecutionProvider\"])\n"
       "outputs = dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))\n"});
}

RunScript for_onnx_reference(const Problem& problem, const Finding& finding) {
  const std::string version = engines::one_line(finding.engine_version);
  return script(problem, finding, fmt::format("`pip install onnx=={} && python3 run.py`", version),
                {"Runs a model on ONNX's reference evaluator; needs nothing but the package onnx.",
                 "import onnx\nfrom onnx import numpy_helper\nfrom onnx.reference import ReferenceEvaluator\n", false,
                 "evaluator = ReferenceEvaluator(onnx.load_from_string(model))\n"
                 "outputs = dict(zip(evaluator.output_names, evaluator.run(None, inputs)))\n"});
}

RunScript for_any_backend(const Problem& problem, const Finding& finding) {
  return script(problem, finding,
                "`pip install onnx && python3 run.py MODULE`, MODULE being its ONNX backend (as `onnxruntime.backend`)",
                {"Runs a model on a runtime's ONNX backend: python3 run.py MODULE, as onnxruntime.backend.",
                 "import importlib\n\nimport onnx\nfrom onnx import numpy_helper\n\nif len(sys.argv) != 2:\n"
                 "    sys.exit(\"usage: python3 run.py MODULE, a runtime's ONNX backend, as onnxruntime.backend\")\n",
                 false,
                 "loaded = onnx.load_from_string(model)\n"
                 "backend = importlib.import_module(sys.argv[1]).prepare(loaded)\n"
                 "answers = backend.run([inputs[value.name] for value in loaded.graph.input if value.name in inputs])\n"
                 "outputs = dict(zip([output.name for output in loaded.graph.output], answers))\n"});
}

}  // namespace

RunScript run_script(const Problem& problem, const Finding& finding) {
  if (is_released_onnxruntime(finding) && numpy_has_all_types(problem)) return for_onnxruntime(problem, finding);
  if (finding.engine == "onnx-reference") return for_onnx_reference(problem, finding);
  return for_any_backend(problem, finding);
}

}  // namespace cellproof::campaign
