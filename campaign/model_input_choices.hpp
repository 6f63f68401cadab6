#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/models/model_inputs.hpp"

namespace cellproof::campaign {

/// A user's choices for the inputs of a model, as text.
struct InputChoices {
  std::string from;  ///< .npz file or folder; "": drawn
  std::uint64_t seed = 1;
  std::vector<std::string> shape;  ///< "T=60,N=3"
  std::vector<std::string> value;  ///< "sr=16000"
};

/// Reads or draws them. Throws std::invalid_argument for a text that is no list of NAME=NUMBER, and for choices about
/// drawn inputs beside `from`; corpus::CorpusError for inputs that do not fit the model.
corpus::ModelInputs inputs_of(const corpus::WholeModel& model, const InputChoices& choices);

/// A line on the model, and one on each of its inputs.
std::string inputs_text(const corpus::WholeModel& model, const corpus::ModelInputs& inputs,
                        const InputChoices& choices);

}  // namespace cellproof::campaign
