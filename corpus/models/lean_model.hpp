#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "spec/files/pieces.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// A model without the bytes of its large initializers: they are external data, those of the model's own file, too.
struct LeanModel {
  std::string directory;    ///< that all external data lie in
  bool has_others = false;  ///< are there external data of other files?
};

/// Reads a model file; external data of small initializers, of inner graphs and of functions are moved into it. Throws
/// CorpusError.
LeanModel read_lean_model(const std::filesystem::path& file, onnx::ModelProto& model);

/// A lean model serialised, with all data inside. Throws CorpusError.
Pieces whole_pieces(const onnx::ModelProto& model, const std::string& where, const std::string& directory);

}  // namespace cellproof::corpus
