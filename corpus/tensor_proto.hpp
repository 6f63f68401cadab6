#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "spec/element_type.hpp"
#include "spec/tensor.hpp"

namespace onnx {
class TensorProto;
}

namespace cellproof::corpus {

/// onnx::TensorProto::DataType of an element type, and back; nullopt for a type that our tensors do not hold.
int onnx_data_type(ElementType type);
std::optional<ElementType> element_type_of(int data_type);
/// "FLOAT", "STRING", ... or the number for one that ONNX does not know.
std::string data_type_name(int data_type);

/// Writes raw_data; `proto` is expected to be empty.
void write_tensor(const Tensor& tensor, std::string_view name, onnx::TensorProto& proto);

/// Reads raw_data, the typed field that onnx.proto gives the type, or external data inside `directory` ("": forbidden).
/// Every declared size is checked against the data before anything is allocated. Throws CorpusError.
Tensor read_tensor(const onnx::TensorProto& proto, const std::string& where, const std::string& directory);

/// The bytes of a tensor's external data.
struct ExternalRange {
  std::filesystem::path file;
  std::uint64_t offset, size;
};
/// Finds them, as many as it says or, where it does not, as its shape asks for. Throws CorpusError.
ExternalRange external_range(const onnx::TensorProto& proto, const std::string& where, const std::string& directory);

}  // namespace cellproof::corpus
