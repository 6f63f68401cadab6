#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// Puts the body of each model-local function that holds a recurrent node, itself or in a function that it calls, in
/// the place of its calls. Inner nodes are then called "CALL/NODE". Functions without one stay as they are. Throws
/// CorpusError for a function that calls itself, or that imports another opset than the model.
void inline_recurrent_functions(onnx::ModelProto& model, const std::string& where);

}  // namespace cellproof::corpus
