#pragma once

#include <string>

namespace onnx {
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace cellproof::corpus {

/// The tensor that a Constant node stands for (Constant-1 and later: value, value_float(s), value_int(s)). Throws
/// CorpusError for strings, sparse tensors, and nodes with inputs or with another number of attributes than one.
onnx::TensorProto constant_value(const onnx::NodeProto& node, const std::string& where);

}  // namespace cellproof::corpus
