#include "corpus/models/lean_model.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx-ml.pb.h>

#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/parse.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

namespace io = google::protobuf::io;
using google::protobuf::internal::WireFormatLite;

constexpr std::uint64_t largest_model_file = std::numeric_limits<int>::max();
constexpr std::uint64_t least_large = std::uint64_t{1} << 20;  ///< bytes of an initializer that stays outside

constexpr std::uint32_t tag_of(int field) {
  return (static_cast<std::uint32_t>(field) << 3U) | WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
}
constexpr std::uint32_t graph_tag = tag_of(onnx::ModelProto::kGraphFieldNumber),
                        initializer_tag = tag_of(onnx::GraphProto::kInitializerFieldNumber),
                        raw_data_tag = tag_of(onnx::TensorProto::kRawDataFieldNumber);

/// Tag and length in front of a field.
std::string head_of(std::uint32_t tag, std::uint64_t size) {
  std::string head;
  {
    io::StringOutputStream stream(&head);
    io::CodedOutputStream out(&stream);
    out.WriteTag(tag);
    out.WriteVarint64(size);
  }
  return head;
}

/// A message's bytes, of which fields with one tag are handed to somebody else.
class Copy {
 public:
  /// `take` gets the field's length and reads that far; it returns false where the message is broken.
  template <class Take>
  static bool of(io::CodedInputStream& in, std::uint32_t taken, std::string& rest, const Take& take) {
    io::StringOutputStream stream(&rest);
    io::CodedOutputStream out(&stream);
    while (const std::uint32_t tag = in.ReadTag()) {
      if (tag != taken) {
        if (!WireFormatLite::SkipField(&in, tag, &out)) return false;
        continue;
      }
      std::uint32_t size = 0;
      if (!in.ReadVarint32(&size) || size > largest_model_file) return false;
      const auto limit = in.PushLimit(static_cast<int>(size));
      if (!take(size) || in.BytesUntilLimit() != 0) return false;
      in.PopLimit(limit);
    }
    return in.ConsumedEntireMessage();
  }
};

void set_entry(onnx::TensorProto& tensor, const char* key, std::string value) {
  auto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(std::move(value));
}

/// Reads a file front to back, and goes past what is large.
class LeanReader {
 public:
  LeanReader(io::CodedInputStream& in, std::string file_name) : in_(in), file_name_(std::move(file_name)) {}

  /// False where the file holds no model, or one of a form that nobody writes.
  bool read(onnx::ModelProto& model) {
    std::string rest, graph;
    bool has_graph = false;
    const bool is_whole = Copy::of(in_, graph_tag, rest, [&](std::uint32_t) {
      if (std::exchange(has_graph, true)) return false;
      return Copy::of(in_, initializer_tag, graph, [&](std::uint32_t size) { return read_initializer(size); });
    });
    if (!is_whole || !has_graph || !parse(rest, model) || !parse(graph, *model.mutable_graph())) return false;
    *model.mutable_graph()->mutable_initializer() = std::move(initializers_);
    return true;
  }

 private:
  bool read_initializer(std::uint32_t) {
    std::string rest, raw;
    std::optional<std::pair<int, std::uint32_t>> large;
    const bool is_whole = Copy::of(in_, raw_data_tag, rest, [&](std::uint32_t size) {
      if (large || !raw.empty()) return false;
      if (size < least_large) return in_.ReadString(&raw, static_cast<int>(size));
      large = {in_.CurrentPosition(), size};
      return in_.Skip(static_cast<int>(size));
    });
    onnx::TensorProto& tensor = *initializers_.Add();
    if (!is_whole || !parse(rest, tensor)) return false;
    if (!raw.empty()) tensor.set_raw_data(std::move(raw));
    if (!large) return true;
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return false;
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    set_entry(tensor, "location", file_name_);
    set_entry(tensor, "offset", fmt::format("{}", large->first));
    set_entry(tensor, "length", fmt::format("{}", large->second));
    return true;
  }

  io::CodedInputStream& in_;
  std::string file_name_;
  google::protobuf::RepeatedPtrField<onnx::TensorProto> initializers_;
};

/// Moves external data into tensors; those of large initializers of the graph itself stay outside.
class ExternalData {
 public:
  ExternalData(std::string where, std::string directory, std::string own)
      : where_(std::move(where)), directory_(std::move(directory)), own_(std::move(own)) {}

  /// Were there any of other files than the model's own?
  bool had_others() const { return had_others_; }

  void settle(onnx::ModelProto& model) {
    for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
      const bool is_outside = tensor.data_location() == onnx::TensorProto::EXTERNAL && !is_own(tensor);
      had_others_ |= is_outside;
      if (is_outside && external_range(tensor, here(tensor), directory_).size < least_large) move_into(tensor);
    }
    for (auto& node : *model.mutable_graph()->mutable_node()) move_into(node);
    for (auto& function : *model.mutable_functions())
      for (auto& node : *function.mutable_node()) move_into(node);
  }

 private:
  std::string here(const onnx::TensorProto& tensor) const {
    return fmt::format("{}: tensor {}", where_, in_quotes(tensor.name()));
  }
  bool is_own(const onnx::TensorProto& tensor) const {
    return tensor.external_data_size() > 0 && tensor.external_data(0).value() == own_;
  }
  void move_into(onnx::GraphProto& graph) {
    for (auto& tensor : *graph.mutable_initializer()) move_into(tensor);
    for (auto& node : *graph.mutable_node()) move_into(node);
  }
  void move_into(onnx::NodeProto& node) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) move_into(*attribute.mutable_t());
      if (attribute.has_g()) move_into(*attribute.mutable_g());
    }
  }
  void move_into(onnx::TensorProto& proto) {
    if (proto.data_location() != onnx::TensorProto::EXTERNAL) return;
    had_others_ = true;
    const Tensor tensor = read_tensor(proto, here(proto), directory_);
    onnx::TensorProto inside;
    write_tensor(tensor, proto.name(), inside);
    proto = std::move(inside);
  }

  std::string where_, directory_, own_;
  bool had_others_ = false;
};

std::string directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

}  // namespace

LeanModel read_lean_model(const std::filesystem::path& file, onnx::ModelProto& model) {
  const std::string where = file.string();
  // A link may lead to another directory, where its external data are not.
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error);
  const bool is_plain = !error && std::filesystem::is_regular_file(real, error) &&
                        std::filesystem::file_size(real, error) <= largest_model_file && !error;
  const int descriptor = is_plain ? ::open(real.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    io::FileInputStream stream(descriptor);
    stream.SetCloseOnDelete(true);
    io::CodedInputStream in(&stream);
    const std::string own = real.filename().string();
    onnx::ModelProto lean;
    if (LeanReader(in, own).read(lean)) {
      ExternalData external(where, directory_of(file), own);
      external.settle(lean);
      const bool is_linked_away = std::filesystem::canonical(directory_of(file), error) != real.parent_path();
      if (!is_linked_away || !external.had_others()) {
        model = std::move(lean);
        return {real.parent_path().string(), external.had_others()};
      }
    }
  }
  model.Clear();
  const std::string bytes = read_file(file, largest_model_file);
  if (!parse(bytes, model) || !model.has_graph())
    refuse(where, fmt::format("{} bytes that hold no model", bytes.size()), "an ONNX model");
  ExternalData external(where, directory_of(file), "");
  external.settle(model);
  return {directory_of(file), external.had_others()};
}

Pieces whole_pieces(const onnx::ModelProto& model, const std::string& where, const std::string& directory) {
  onnx::ModelProto rest = model;
  onnx::GraphProto graph;
  graph.Swap(rest.mutable_graph());
  rest.clear_graph();
  google::protobuf::RepeatedPtrField<onnx::TensorProto> all;
  all.Swap(graph.mutable_initializer());
  Pieces outside;
  for (onnx::TensorProto& tensor : all) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) {
      *graph.add_initializer() = std::move(tensor);
      continue;
    }
    const auto data = external_range(tensor, fmt::format("{}: tensor {}", where, in_quotes(tensor.name())), directory);
    tensor.clear_external_data();
    tensor.clear_data_location();
    const std::string fields = serialize(tensor) + head_of(raw_data_tag, data.size);
    outside.add(head_of(initializer_tag, fields.size() + data.size) + fields);
    outside.add(data.file, data.offset, data.size);
  }
  const std::string inside = serialize(graph);
  Pieces pieces;
  pieces.add(serialize(rest) + head_of(graph_tag, inside.size() + outside.size()) + inside);
  pieces.add(outside);
  return pieces;
}

}  // namespace cellproof::corpus
