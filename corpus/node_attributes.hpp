#pragma once

#include <string>

#include "spec/attributes.hpp"

namespace onnx {
class NodeProto;
}

namespace cellproof::corpus {

/// Writes the attributes exactly as they stand: nothing added, empty lists kept, `others` last.
void write_attributes(const Attributes& attributes, onnx::NodeProto& node);

/// Reads them back. What the operators do not know, or know with another type, or what is written a second time goes to
/// `others`. Throws CorpusError for an attribute that holds no value or several, or holds a graph, a tensor or a type.
Attributes read_attributes(const onnx::NodeProto& node, const std::string& where);

}  // namespace cellproof::corpus
