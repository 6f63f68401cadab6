#include "corpus/models/whole_model.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <limits>
#include <set>
#include <utility>

#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/models/function_inliner.hpp"
#include "corpus/models/node_taps.hpp"
#include "corpus/parse.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::uint64_t largest_model_file = std::numeric_limits<int>::max();

/// Moves the data of all tensors into the model, those of inner graphs too. Returns whether there were any outside.
class ExternalData {
 public:
  ExternalData(std::string where, std::string directory) : where_(std::move(where)), directory_(std::move(directory)) {}

  bool move_into(onnx::GraphProto& graph) {
    bool moved = false;
    for (auto& tensor : *graph.mutable_initializer()) moved |= move_into(tensor);
    for (auto& node : *graph.mutable_node()) moved |= move_into(node);
    return moved;
  }

  bool move_into(onnx::NodeProto& node) {
    bool moved = false;
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) moved |= move_into(*attribute.mutable_t());
      if (attribute.has_g()) moved |= move_into(*attribute.mutable_g());
    }
    return moved;
  }

 private:
  bool move_into(onnx::TensorProto& proto) const {
    if (proto.data_location() != onnx::TensorProto::EXTERNAL) return false;
    const std::string here = fmt::format("{}: tensor {}", where_, in_quotes(proto.name()));
    const Tensor tensor = read_tensor(proto, here, directory_);
    onnx::TensorProto inside;
    write_tensor(tensor, proto.name(), inside);
    proto = std::move(inside);
    return true;
  }

  std::string where_, directory_;
};

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
  {
    const std::string bytes = read_file(file, largest_model_file);
    if (!parse(bytes, *model) || !model->has_graph())
      refuse(where, fmt::format("{} bytes that hold no model", bytes.size()), "an ONNX model");
  }
  ExternalData external(where, file.has_parent_path() ? file.parent_path().string() : ".");
  bool moved = external.move_into(*model->mutable_graph());
  for (auto& function : *model->mutable_functions())
    for (auto& node : *function.mutable_node()) moved |= external.move_into(node);
  if (moved) result.completed = serialize(*model);

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

std::string serialized_unmodified(const WholeModel& model) {
  return model.completed.empty() ? read_file(model.path, largest_model_file) : model.completed;
}

std::string serialized_tapped(const WholeModel& model) {
  return serialize(*model.tapped);
}

}  // namespace cellproof::corpus
