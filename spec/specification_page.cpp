#include "spec/specification_page.hpp"

#include <fmt/format.h>

namespace cellproof {

std::string specification_page(Operator op) {
  if (domain(op).empty()) return fmt::format("https://onnx.ai/onnx/operators/onnx__{}.html", name(op));
  return fmt::format("https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#{}.{}", domain(op),
                     name(op));
}

}  // namespace cellproof
