#include "campaign/run_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

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
  for (const Input& in : problem.inputs) {
    if (in.presence == Presence::Given && in.source == Source::GraphInput && numpy_name(in.tensor->type()).empty())
      return false;
  }
  return true;
}

/// The graph inputs by name. Our files end with a tensor's raw bytes: to read them takes no package that knows ONNX.
std::string inputs_from_bytes(const Problem& problem) {
  std::string text = "inputs = {\n";
  const auto names = input_names(problem.version.op);
  int file = 0;
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const Input& in = problem.inputs[i];
    if (in.presence != Presence::Given || in.source != Source::GraphInput) continue;
    const std::string name = i < names.size() ? std::string(names[i]) : fmt::format("input_{}", i);
    const Tensor& tensor = *in.tensor;
    text += fmt::format("    \"{}\": raw({}, {}, \"{}\", [{}]),\n", name, file++, tensor.bytes().size(),
                        numpy_name(tensor.type()), fmt::join(tensor.shape(), ", "));
  }
  return text + "}\n";
}

constexpr std::string_view raw_reader = R"(
def raw(k, size, dtype, shape):
    """The tensor of input_k.pb: its elements are the last bytes of the file."""
    content = (folder / "test_data_set_0" / f"input_{k}.pb").read_bytes()
    return np.frombuffer(content[len(content) - size:], dtype).reshape(shape)


)";

constexpr std::string_view proto_reader = R"(
def tensors():
    files = sorted((folder / "test_data_set_0").glob("input_*.pb"), key=lambda file: int(file.stem[6:]))
    return [numpy_helper.to_array(onnx.load_tensor(str(file))) for file in files]


)";

/// Python lines that print what to compare by eye.
std::string shows_the_first(const Finding& finding) {
  std::string text =
      "for name, value in outputs.items():\n"
      "    print(name, np.asarray(value).tolist())\n";
  const std::optional<FirstViolation>& first = finding.reduction->first;
  if (!first || first->index.empty()) return text;
  const std::string place = fmt::format("{}", fmt::join(first->index, ", "));
  return text +
         fmt::format("print(\"{0}[{1}] must be {2}, it was {3}, here it is\", np.asarray(outputs[\"{0}\"])[{1}])\n",
                     output_name(*first), place, expected_text(*first), actual_text(*first));
}

std::string script(std::string_view what, std::string_view imports, std::string_view reader,
                   std::string_view calculation, const Finding& finding) {
  return fmt::format("\"\"\"{}\"\"\"\n{}\nfolder = pathlib.Path(__file__).parent\n\n{}{}{}", what, imports, reader,
                     calculation, shows_the_first(finding));
}

RunScript for_onnxruntime(const Problem& problem, const Finding& finding) {
  const std::string package = fmt::format("onnxruntime=={}", engines::one_line(finding.engine_version));
  const std::string calculation =
      inputs_from_bytes(problem) +
      "session = ort.InferenceSession(str(folder / \"model.onnx\"), providers=[\"CPUExecutionProvider\"])\n"
      "outputs = dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))\n";
  return {
      fmt::format("`pip install {} && python3 run.py`", package),
      script("Runs model.onnx on ONNX Runtime; needs nothing but its Python package.",
             "import pathlib\n\nimport numpy as np\nimport onnxruntime as ort\n", raw_reader, calculation, finding)};
}

RunScript for_onnx_reference(const Finding& finding) {
  constexpr std::string_view calculation =
      "evaluator = ReferenceEvaluator(str(folder / \"model.onnx\"))\n"
      "inputs = dict(zip(evaluator.input_names, tensors()))\n"
      "outputs = dict(zip(evaluator.output_names, evaluator.run(None, inputs)))\n";
  return {fmt::format("`pip install onnx=={} && python3 run.py`", engines::one_line(finding.engine_version)),
          script("Runs model.onnx on ONNX's reference evaluator; needs nothing but the package onnx.",
                 "import pathlib\n\nimport numpy as np\nimport onnx\nfrom onnx import numpy_helper\n"
                 "from onnx.reference import ReferenceEvaluator\n",
                 proto_reader, calculation, finding)};
}

RunScript for_any_backend(const Finding& finding) {
  constexpr std::string_view calculation =
      "if len(sys.argv) != 2:\n"
      "    sys.exit(\"usage: python3 run.py MODULE, a runtime's ONNX backend, as onnxruntime.backend\")\n"
      "model = onnx.load(str(folder / \"model.onnx\"))\n"
      "backend = importlib.import_module(sys.argv[1])\n"
      "outputs = dict(zip([output.name for output in model.graph.output], backend.prepare(model).run(tensors())))\n";
  return {"`pip install onnx && python3 run.py MODULE`, MODULE being its ONNX backend (as `onnxruntime.backend`)",
          script("Runs model.onnx on a runtime's ONNX backend: python3 run.py MODULE, as onnxruntime.backend.",
                 "import importlib\nimport pathlib\nimport sys\n\nimport numpy as np\nimport onnx\n"
                 "from onnx import numpy_helper\n",
                 proto_reader, calculation, finding)};
}

}  // namespace

RunScript run_script(const Problem& problem, const Finding& finding) {
  if (finding.engine == "onnxruntime" && numpy_has_all_types(problem)) return for_onnxruntime(problem, finding);
  if (finding.engine == "onnx-reference") return for_onnx_reference(finding);
  return for_any_backend(finding);
}

}  // namespace cellproof::campaign
