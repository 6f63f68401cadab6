#include "corpus/tensor_proto.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "corpus/external_data.hpp"
#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "corpus/parse.hpp"

namespace cellproof::corpus {
namespace {

using onnx::TensorProto;

constexpr std::array<std::pair<ElementType, TensorProto::DataType>, 8> data_types{{
    {ElementType::Float16, TensorProto::FLOAT16},
    {ElementType::BFloat16, TensorProto::BFLOAT16},
    {ElementType::Float, TensorProto::FLOAT},
    {ElementType::Double, TensorProto::DOUBLE},
    {ElementType::Int8, TensorProto::INT8},
    {ElementType::UInt8, TensorProto::UINT8},
    {ElementType::Int32, TensorProto::INT32},
    {ElementType::Int64, TensorProto::INT64},
}};

/// A tensor of more bytes is refused: no recurrent problem that we judge comes near it.
constexpr std::uint64_t largest_tensor = std::uint64_t{1} << 30;
/// Steps or rows that an empty tensor may still declare: loops run over them.
constexpr std::uint64_t largest_empty = std::uint64_t{1} << 24;

Shape shape_of(const TensorProto& proto) {
  return {proto.dims().begin(), proto.dims().end()};
}

/// Bytes that the dims ask for, checked for sign, overflow and size.
std::size_t declared_bytes(const TensorProto& proto, ElementType type, const std::string& where) {
  std::uint64_t product = 1;  // of the dimensions that are not 0
  bool empty = false;
  for (const std::int64_t dim : proto.dims()) {
    if (dim < 0) refuse(where, fmt::format("dimension {}", dim), "dimensions of at least 0");
    empty = empty || dim == 0;
    if (dim == 0) continue;
    const auto factor = static_cast<std::uint64_t>(dim);
    if (factor > largest_tensor / product) refuse(where, "dims ask for more than 1 GiB", "at most 1 GiB of data");
    product *= factor;
  }
  if (empty) {
    if (product > largest_empty)
      refuse(where, "an empty tensor with huge dims", "other dims with a product up to 2^24");
    return 0;
  }
  if (product > largest_tensor / size_of(type)) refuse(where, "dims ask for more than 1 GiB", "at most 1 GiB of data");
  return product * size_of(type);
}

/// Stores each element of a typed field as the bit pattern of the tensor's type.
template <typename Stored, typename Field>
std::vector<std::byte> narrowed(const Field& field, const std::string& where) {
  std::vector<std::byte> bytes(sizeof(Stored) * static_cast<std::size_t>(field.size()));
  for (int i = 0; i < field.size(); ++i) {
    const auto stored = static_cast<Stored>(field[i]);
    if constexpr (std::numeric_limits<Stored>::is_integer) {
      if (static_cast<std::int64_t>(stored) != static_cast<std::int64_t>(field[i])) {
        refuse(where, fmt::format("element {} is {}", i, field[i]),
               fmt::format("{} to {}", +std::numeric_limits<Stored>::min(), +std::numeric_limits<Stored>::max()));
      }
    }
    std::memcpy(bytes.data() + sizeof(Stored) * static_cast<std::size_t>(i), &stored, sizeof(Stored));
  }
  return bytes;
}

std::vector<std::byte> from_typed_field(const TensorProto& proto, ElementType type, const std::string& where) {
  switch (type) {
    case ElementType::Float:
      return narrowed<float>(proto.float_data(), where);
    case ElementType::Double:
      return narrowed<double>(proto.double_data(), where);
    case ElementType::Int64:
      return narrowed<std::int64_t>(proto.int64_data(), where);
    case ElementType::Int32:
      return narrowed<std::int32_t>(proto.int32_data(), where);
    case ElementType::Int8:
      return narrowed<std::int8_t>(proto.int32_data(), where);
    case ElementType::UInt8:
      return narrowed<std::uint8_t>(proto.int32_data(), where);
    case ElementType::Float16:
    case ElementType::BFloat16:
      return narrowed<std::uint16_t>(proto.int32_data(), where);
  }
  return {};
}

/// A field of a TensorProto that carries data: its name and how many elements it has.
struct DataField {
  std::string_view name;
  std::size_t count;
};

std::string_view typed_field_name(ElementType type) {
  switch (type) {
    case ElementType::Float:
      return "float_data";
    case ElementType::Double:
      return "double_data";
    case ElementType::Int64:
      return "int64_data";
    default:
      return "int32_data";
  }
}

std::array<DataField, 7> data_fields(const TensorProto& proto) {
  const auto count = [](int size) { return static_cast<std::size_t>(size); };
  return {{{"raw_data", proto.raw_data().size()},
           {"float_data", count(proto.float_data_size())},
           {"double_data", count(proto.double_data_size())},
           {"int32_data", count(proto.int32_data_size())},
           {"int64_data", count(proto.int64_data_size())},
           {"uint64_data", count(proto.uint64_data_size())},
           {"string_data", count(proto.string_data_size())}}};
}

std::uint64_t parse_number(const std::string& text, std::string_view key, const std::string& where) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse(where, fmt::format("external data: {} is {}", key, in_quotes(text)), "a number of bytes");
  }
  return value;
}

ExternalLocation external_location(const TensorProto& proto, const std::string& where) {
  ExternalLocation result;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") result.location = entry.value();
    if (entry.key() == "offset") result.offset = parse_number(entry.value(), "offset", where);
    if (entry.key() == "length") result.length = parse_number(entry.value(), "length", where);
  }
  return result;
}

[[noreturn]] void refuse_type(const TensorProto& proto, const std::string& where) {
  refuse(where, fmt::format("element type {}", data_type_name(proto.data_type())),
         "FLOAT16, BFLOAT16, FLOAT, DOUBLE, INT8, UINT8, INT32 or INT64");
}

}  // namespace

int onnx_data_type(ElementType type) {
  for (const auto& [ours, theirs] : data_types) {
    if (ours == type) return theirs;
  }
  throw std::invalid_argument("not an element type");
}

std::optional<ElementType> element_type_of(int data_type) {
  for (const auto& [ours, theirs] : data_types) {
    if (theirs == data_type) return ours;
  }
  return std::nullopt;
}

std::string data_type_name(int data_type) {
  if (!TensorProto::DataType_IsValid(data_type)) return fmt::format("{}", data_type);
  return TensorProto::DataType_Name(static_cast<TensorProto::DataType>(data_type));
}

void write_tensor(const Tensor& tensor, std::string_view name, TensorProto& proto) {
  proto.set_name(name.data(), name.size());
  proto.set_data_type(onnx_data_type(tensor.type()));
  for (const std::int64_t dim : tensor.shape()) proto.add_dims(dim);
  proto.set_raw_data(tensor.bytes().data(), tensor.bytes().size());
}

ExternalRange external_range(const TensorProto& proto, const std::string& where, const std::string& directory) {
  const ExternalLocation external = external_location(proto, where);
  const auto type = element_type_of(proto.data_type());
  if (!external.length && !type) refuse_type(proto, where);
  const std::size_t size = external.length ? *external.length : declared_bytes(proto, *type, where);
  return {find_external_data(external, size, where, directory), external.offset, size};
}

Tensor read_tensor(const TensorProto& proto, const std::string& where, const std::string& directory) {
  const auto type = element_type_of(proto.data_type());
  if (!type) refuse_type(proto, where);
  if (proto.has_segment()) refuse(where, "a segment of a larger tensor", "a whole tensor");
  const std::size_t size = declared_bytes(proto, *type, where);

  const DataField* used = nullptr;
  const auto fields = data_fields(proto);
  for (const auto& field : fields) {
    if (field.count == 0) continue;
    if (used != nullptr) refuse(where, fmt::format("data in both {} and {}", used->name, field.name), "one of them");
    used = &field;
  }
  if (proto.data_location() == TensorProto::EXTERNAL) {
    if (used != nullptr) refuse(where, fmt::format("external data and {}", used->name), "one of them");
    return {*type, shape_of(proto), read_external_data(external_location(proto, where), size, where, directory)};
  }
  const std::size_t count = size / size_of(*type);
  const std::string wanted =
      fmt::format("{} elements of {} for shape {}", count, onnx_name(*type), to_string(shape_of(proto)));
  if (used == nullptr) {
    if (count != 0) refuse(where, "no data", wanted);
    return {*type, shape_of(proto)};
  }
  if (used->name == "raw_data") {
    if (used->count != size) refuse(where, fmt::format("raw_data of {} bytes", used->count), wanted);
    const auto* first = reinterpret_cast<const std::byte*>(proto.raw_data().data());
    return {*type, shape_of(proto), std::vector<std::byte>(first, first + size)};
  }
  if (used->name != typed_field_name(*type)) {
    refuse(where, fmt::format("data in {}", used->name), fmt::format("{} or raw_data", typed_field_name(*type)));
  }
  if (used->count != count) refuse(where, fmt::format("{} with {} elements", used->name, used->count), wanted);
  return {*type, shape_of(proto), from_typed_field(proto, *type, where)};
}

std::string to_tensor_proto(const Tensor& tensor, std::string_view name) {
  TensorProto proto;
  write_tensor(tensor, name, proto);
  return serialize(proto);
}

Tensor from_tensor_proto(std::string_view serialized, const std::string& where, const std::string& directory) {
  TensorProto proto;
  if (!parse(serialized, proto)) {
    refuse(where, fmt::format("{} bytes that are no protobuf", serialized.size()), "a serialised TensorProto");
  }
  return read_tensor(proto, where, directory);
}

}  // namespace cellproof::corpus
