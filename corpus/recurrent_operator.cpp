#include "corpus/recurrent_operator.hpp"

#include <onnx/onnx-ml.pb.h>

namespace cellproof::corpus {

std::optional<Operator> recurrent_operator(const onnx::NodeProto& node) {
  const std::string_view here = node.domain() == "ai.onnx" ? "" : std::string_view(node.domain());
  for (const Operator op : all_operators())
    if (node.op_type() == name(op) && here == domain(op)) return op;
  return std::nullopt;
}

}  // namespace cellproof::corpus
