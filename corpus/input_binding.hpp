#pragma once

#include <string>

#include "corpus/model.hpp"

namespace onnx {
class ValueInfoProto;
}

namespace cellproof::corpus {

/// Type and shape of a graph input as the graph has them. Throws CorpusError for one that is no tensor, or of a type
/// that no recurrent operator has.
DeclaredInput declared_input(const onnx::ValueInfoProto& info, const std::string& where);

/// Throws CorpusError where type or shape of a tensor are not as declared.
void refuse_unlike(const DeclaredInput& declared, const std::string& name, const Tensor& tensor,
                   const std::string& where);

}  // namespace cellproof::corpus
