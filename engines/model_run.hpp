#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::engines {

/// A whole model to run, and the outputs that it is asked for.
struct ModelRun {
  std::string_view model;  ///< serialised ModelProto; must live until the run is prepared
  std::vector<std::string> input_names;
  std::vector<Tensor> inputs;  ///< by name
  std::vector<std::string> output_names;
};

}  // namespace cellproof::engines
