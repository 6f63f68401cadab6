#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "corpus/models/whole_model.hpp"
#include "spec/tensor.hpp"

namespace cellproof::corpus {

/// Values for a model's inputs, in their order, and a line on each for a person.
struct ModelInputs {
  std::vector<Tensor> tensors;
  std::vector<std::string> notes;  ///< "x float [60,1,3]: drawn"
  std::vector<std::string> open;   ///< names of sizes that were chosen for it, as Drawing has them
};

/// Reads them from a .npz file, or from a folder: NAME.npy, NAME.pb, or input_K.pb in the graph's order. Throws
/// CorpusError where one is missing, is unknown to the model, or has another type or shape than it declares.
ModelInputs read_inputs(const WholeModel& model, const std::filesystem::path& from);

/// Choices for drawn inputs.
struct Drawing {
  std::uint64_t seed = 1;
  std::map<std::string, std::int64_t> sizes;  ///< by symbol, or "INPUT.AXIS"
  std::map<std::string, double> values;       ///< of all elements of an input, by its name
};

/// Draws inputs of the declared types and shapes. Indices lie within what the Gather that consumes them holds, lengths
/// within the steps, and a number that the model compares with a constant is that constant. A size that the model
/// leaves open is 1 for a batch and for a first axis without a name, and 24 for any other. Throws CorpusError for a
/// type that cannot be drawn and for a choice that fits nothing.
ModelInputs draw_inputs(const WholeModel& model, const Drawing& drawing);

}  // namespace cellproof::corpus
