#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "corpus/models/model_inputs.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/tensor_proto.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::int64_t default_steps = 24;
constexpr std::int64_t unknown_indices = 8;  ///< from 1 to one less, where nothing tells what an integer means
constexpr int most_hops = 8;
constexpr std::int64_t most_elements = std::int64_t{1} << 28;  ///< of an input: 1 GiB of float
constexpr double spread_of_floats = 0.5;  ///< of a sum of four uniform numbers: near 0.3 as a standard deviation

/// The meaning of an input's integers to the model.
struct Meaning {
  enum class Kind { Unknown, Indices, Lengths, Constant } kind = Kind::Unknown;
  std::int64_t size = 0;  ///< Indices: of what they index; Constant: the value
};

constexpr std::array<std::string_view, 7> passing{"Cast",    "Identity", "Unsqueeze", "Squeeze",
                                                  "Reshape", "Flatten",  "Transpose"};

void collect(const onnx::GraphProto& graph, std::vector<const onnx::NodeProto*>& nodes,
             std::map<std::string, const onnx::TensorProto*>& constants) {
  for (const auto& tensor : graph.initializer()) constants[tensor.name()] = &tensor;
  for (const auto& node : graph.node()) {
    nodes.push_back(&node);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) collect(attribute.g(), nodes, constants);
      if (node.op_type() == "Constant" && attribute.name() == "value" && attribute.has_t() && node.output_size() == 1)
        constants[node.output(0)] = &attribute.t();
    }
  }
}

/// The nodes of a model, those of inner graphs too, asked for what becomes of an input.
class Consumers {
 public:
  explicit Consumers(const onnx::ModelProto& model) { collect(model.graph(), nodes_, constants_); }

  Meaning meaning_of(const std::string& name, int hops = 0) const {
    for (const auto* node : nodes_) {
      for (int k = 0; k < node->input_size(); ++k) {
        if (node->input(k) != name) continue;
        const Meaning here = meaning_at(*node, k, hops);
        if (here.kind != Meaning::Kind::Unknown) return here;
      }
    }
    return {};
  }

 private:
  Meaning meaning_at(const onnx::NodeProto& node, int position, int hops) const {
    if (node.op_type() == "Gather" && position == 1 && node.input_size() == 2)
      return {Meaning::Kind::Indices, gathered(node)};
    if (recurrent_operator(node) && position == static_cast<int>(input::sequence_lens))
      return {Meaning::Kind::Lengths, 0};
    if (node.op_type() == "Equal" && node.input_size() == 2) {
      if (const auto value = single_value(node.input(1 - position))) return {Meaning::Kind::Constant, *value};
    }
    if (hops < most_hops && position == 0 && node.output_size() > 0 &&
        std::ranges::find(passing, node.op_type()) != passing.end())
      return meaning_of(node.output(0), hops + 1);
    return {};
  }

  std::int64_t gathered(const onnx::NodeProto& node) const {
    int axis = 0;
    for (const auto& attribute : node.attribute())
      if (attribute.name() == "axis") axis = static_cast<int>(attribute.i());
    const auto found = constants_.find(node.input(0));
    if (found == constants_.end()) return unknown_indices;
    if (axis < 0) axis += found->second->dims_size();
    return axis >= 0 && axis < found->second->dims_size() ? found->second->dims(axis) : unknown_indices;
  }

  std::optional<std::int64_t> single_value(const std::string& name) const {
    const auto found = constants_.find(name);
    if (found == constants_.end()) return std::nullopt;
    try {
      const Tensor tensor = read_tensor(*found->second, "", "");
      if (tensor.size() == 1 && !is_floating_point(tensor.type())) return tensor.integer(0);
    } catch (const CorpusError&) {  // of a type that is no index either
    }
    return std::nullopt;
  }

  std::vector<const onnx::NodeProto*> nodes_;
  std::map<std::string, const onnx::TensorProto*> constants_;
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_of_batch(const std::string& symbol) {
  const std::string name = lower(symbol);
  return name.find("batch") != std::string::npos || name == "n" || name == "b";
}

class Drawer {
 public:
  Drawer(const WholeModel& model, const Drawing& drawing)
      : model_(model), drawing_(drawing), consumers_(*model.tapped) {}

  ModelInputs draw() {
    std::vector<Shape> shapes;
    for (const DeclaredTensor& declared : model_.inputs) shapes.push_back(shape_of(declared));
    for (const auto& [name, size] : drawing_.sizes)
      if (!open_.contains(name))
        refuse(fmt::format("--shape {}={}", name, size), "no size of that name is open",
               fmt::format("one of {}", fmt::join(open_, ", ")));
    for (const auto& [name, value] : drawing_.values)
      if (std::ranges::none_of(model_.inputs, [&](const DeclaredTensor& t) { return t.name == name; }))
        refuse(fmt::format("--value {}={}", name, value), "no such input of the model", "the name of an input");
    ModelInputs inputs;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      auto [tensor, how] = draw(model_.inputs[k], shapes[k]);
      inputs.notes.push_back(fmt::format("{} {} {}: {}", escaped(model_.inputs[k].name), onnx_name(tensor.type()),
                                         to_string(tensor.shape()), how));
      inputs.tensors.push_back(std::move(tensor));
    }
    inputs.open.assign(open_.begin(), open_.end());
    return inputs;
  }

 private:
  Shape shape_of(const DeclaredTensor& declared) {
    if (!declared.shape)
      refuse(model_.path.string(), fmt::format("input {} has no shape to draw", in_quotes(declared.name)),
             "--inputs with a tensor for each input");
    Shape shape;
    for (std::size_t axis = 0; axis < declared.shape->size(); ++axis) {
      const DeclaredSize& size = (*declared.shape)[axis];
      if (size.size.value_or(0) > 0) {
        shape.push_back(*size.size);
        continue;
      }
      const std::string place = fmt::format("{}.{}", declared.name, axis);
      const std::string& name = size.symbol.empty() ? place : size.symbol;
      open_.insert({name, place});
      const bool is_one = is_of_batch(size.symbol) || (size.symbol.empty() && axis == 0);
      std::int64_t chosen = is_one ? 1 : default_steps;
      for (const std::string& key : {name, place})
        if (const auto found = drawing_.sizes.find(key); found != drawing_.sizes.end()) chosen = found->second;
      if (!is_of_batch(size.symbol)) steps_ = std::max(steps_, chosen);
      shape.push_back(chosen);
    }
    return shape;
  }

  std::pair<Tensor, std::string> draw(const DeclaredTensor& declared, const Shape& shape) const {
    if (!declared.type)
      refuse(model_.path.string(),
             fmt::format("input {} is {}, which cannot be given", in_quotes(declared.name), declared.type_name),
             "a model whose inputs are numbers");
    check_size(declared, shape);
    Tensor tensor(*declared.type, shape);
    const Counter counter(drawing_.seed, declared.name);
    if (const auto found = drawing_.values.find(declared.name); found != drawing_.values.end()) {
      for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, found->second);
      return {std::move(tensor), fmt::format("all {}", found->second)};
    }
    if (is_floating_point(tensor.type())) {
      for (std::size_t k = 0; k < tensor.size(); ++k) {
        double sum = -2;
        for (unsigned draw = 0; draw < 4; ++draw) sum += Counter::fraction(counter.word(k, draw));
        tensor.set_value(k, sum * spread_of_floats);
      }
      return {std::move(tensor), "drawn"};
    }
    Meaning meaning = consumers_.meaning_of(declared.name);
    const bool is_called_length = lower(declared.name).find("len") != std::string::npos;
    if (meaning.kind == Meaning::Kind::Unknown && is_called_length) meaning.kind = Meaning::Kind::Lengths;
    const auto [first, count, how] = range_of(meaning, tensor.type());
    for (std::size_t k = 0; k < tensor.size(); ++k)
      tensor.set_value(k, static_cast<double>(first + static_cast<std::int64_t>(counter.word(k, 0) %
                                                                                static_cast<std::uint64_t>(count))));
    // A batch whose longest sequence is shorter than the steps is refused by many models.
    if (meaning.kind == Meaning::Kind::Lengths && tensor.size() > 0) tensor.set_value(0, static_cast<double>(steps_));
    return {std::move(tensor), how};
  }

  void check_size(const DeclaredTensor& declared, const Shape& shape) const {
    std::int64_t room = most_elements;
    for (const std::int64_t size : shape)
      if (size > 0) room /= size;
    if (room == 0)
      refuse(model_.path.string(), fmt::format("input {} of shape {}", in_quotes(declared.name), to_string(shape)),
             fmt::format("at most {} elements; --shape sets sizes that are open", most_elements));
  }

  struct Range {
    std::int64_t first, count;
    std::string how;
  };
  Range range_of(const Meaning& meaning, ElementType type) const {
    const std::int64_t most = size_of(type) == 1 ? 127 : std::int64_t{1} << 31;
    switch (meaning.kind) {
      case Meaning::Kind::Indices:
        return {0, std::clamp<std::int64_t>(meaning.size, 1, most), fmt::format("indices below {}", meaning.size)};
      case Meaning::Kind::Lengths:
        return {1, std::clamp<std::int64_t>(steps_, 1, most), fmt::format("lengths up to {}", steps_)};
      case Meaning::Kind::Constant:
        return {meaning.size, 1, fmt::format("{}, which the model compares it with", meaning.size)};
      case Meaning::Kind::Unknown:
        break;
    }
    return {1, unknown_indices - 1, fmt::format("integers from 1 to {}", unknown_indices - 1)};
  }

  const WholeModel& model_;
  const Drawing& drawing_;
  Consumers consumers_;
  std::set<std::string> open_;
  std::int64_t steps_ = 1;
};

}  // namespace

ModelInputs draw_inputs(const WholeModel& model, const Drawing& drawing) {
  return Drawer(model, drawing).draw();
}

}  // namespace cellproof::corpus
