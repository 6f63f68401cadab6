#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

struct WholeModel;

/// Finds the recurrent nodes of a model and makes what they take and give outputs of the model: directly at the top,
/// through both branches of an If, stacked over the trips of a Loop or Scan. Y becomes an output of every node that can
/// give it. Writes `nodes`, `other_recurrences`, `taps` and `constants` of the result. Throws CorpusError.
void tap_recurrent_nodes(onnx::ModelProto& model, const std::string& where, WholeModel& result);

}  // namespace cellproof::corpus
