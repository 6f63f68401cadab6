#include "corpus/models/whole_model.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <set>
#include <utility>

#include "corpus/message.hpp"
#include "corpus/models/function_inliner.hpp"
#include "corpus/models/lean_model.hpp"
#include "corpus/models/node_taps.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

DeclaredTensor declared(const onnx::ValueInfoProto& info) {
  DeclaredTensor result{info.name(), std::nullopt, "no tensor", std::nullopt};
  if (!info.type().has_tensor_type()) return result;
  const auto& tensor = info.type().tensor_type();
  result.type = element_type_of(tensor.elem_type());
  result.type_name = data_type_name(tensor.elem_type());
  if (!tensor.has_shape()) return result;
  result.shape.emplace();
  for (const auto& dim : tensor.shape().dim())
    result.shape->push_back({dim.has_dim_value() ? std::optional(dim.dim_value()) : std::nullopt, dim.dim_param()});
  return result;
}

std::int64_t opset_of_onnx(const onnx::ModelProto& model) {
  for (const auto& import : model.opset_import())
    if (import.domain().empty() || import.domain() == "ai.onnx") return import.version();
  return 0;
}

}  // namespace

std::string declaration_text(const DeclaredTensor& tensor) {
  std::string text = fmt::format("{} {}", escaped(tensor.name), tensor.type_name);
  if (!tensor.shape) return text;
  std::string sizes;
  for (const DeclaredSize& size : *tensor.shape) {
    if (!sizes.empty()) sizes += ',';
    sizes += size.size ? fmt::format("{}", *size.size) : size.symbol.empty() ? "?" : escaped(size.symbol);
  }
  return fmt::format("{} [{}]", text, sizes);
}

WholeModel read_whole_model(const std::filesystem::path& file) {
  WholeModel result;
  result.path = file;
  const std::string where = file.string();
  auto model = std::make_shared<onnx::ModelProto>();
  const LeanModel lean = read_lean_model(file, *model);
  result.directory = lean.directory;
  if (lean.has_others)
    result.unmodified = whole_pieces(*model, where, lean.directory);
  else
    result.unmodified.add(file, 0, std::filesystem::file_size(file));

  result.opset = opset_of_onnx(*model);
  result.producer = fmt::format("{}{}{}", model->producer_name(), model->producer_version().empty() ? "" : " ",
                                model->producer_version());
  std::set<std::string> initialized;
  for (const auto& tensor : model->graph().initializer()) initialized.insert(tensor.name());
  for (const auto& info : model->graph().input())
    if (!initialized.contains(info.name())) result.inputs.push_back(declared(info));
  for (const auto& info : model->graph().output()) result.outputs.push_back(declared(info));

  inline_recurrent_functions(*model, where);
  tap_recurrent_nodes(*model, where, result);
  result.tapped = std::move(model);
  return result;
}

Pieces tapped_pieces(const WholeModel& model) {
  return whole_pieces(*model.tapped, model.path.string(), model.directory);
}

}  // namespace cellproof::corpus
