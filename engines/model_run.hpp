#pragma once

#include <string>
#include <vector>

#include "spec/files/pieces.hpp"
#include "spec/tensor.hpp"

namespace cellproof::engines {

/// A whole model to run, and the outputs that it is asked for.
struct ModelRun {
  Pieces model;  ///< serialised ModelProto
  std::vector<std::string> input_names;
  std::vector<Tensor> inputs;  ///< by name
  std::vector<std::string> output_names;
};

}  // namespace cellproof::engines
