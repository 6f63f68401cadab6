#include "corpus/models/model_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <system_error>

#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "corpus/models/numpy_files.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_input_file = std::numeric_limits<int>::max();

std::string names_of(const std::vector<DeclaredTensor>& tensors) {
  std::vector<std::string> names;
  for (const DeclaredTensor& tensor : tensors) names.push_back(escaped(tensor.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

bool has_declared_shape(const Tensor& tensor, const DeclaredTensor& declared) {
  if (!declared.shape) return true;
  return std::equal(tensor.shape().begin(), tensor.shape().end(), declared.shape->begin(), declared.shape->end(),
                    [](std::int64_t size, const DeclaredSize& wanted) {
                      return wanted.size.value_or(0) <= 0 || *wanted.size == size;
                    });
}

/// The tensors of a folder by name; those of input_K.pb by the graph's order.
std::map<std::string, Tensor> from_folder(const WholeModel& model, const fs::path& folder) {
  std::map<std::string, Tensor> tensors;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
    const fs::path& file = it->path();
    const std::string stem = file.stem().string(), where = file.string();
    if (file.extension() == ".npy") {
      tensors.emplace(stem, from_npy(read_file(file, largest_input_file), where));
    } else if (file.extension() == ".pb" && !stem.starts_with("output_")) {
      std::string name = stem;
      for (std::size_t k = 0; k < model.inputs.size(); ++k)
        if (stem == fmt::format("input_{}", k)) name = model.inputs[k].name;
      tensors.emplace(name, from_tensor_proto(read_file(file, largest_input_file), where, folder.string()));
    }
  }
  if (error) throw CorpusError(fmt::format("{}: cannot read the folder: {}", folder.string(), error.message()));
  return tensors;
}

}  // namespace

ModelInputs read_inputs(const WholeModel& model, const fs::path& from) {
  std::error_code error;
  const std::string where = from.string();
  auto tensors =
      fs::is_directory(from, error) ? from_folder(model, from) : from_npz(read_file(from, largest_input_file), where);
  ModelInputs inputs;
  for (const DeclaredTensor& declared : model.inputs) {
    const auto found = tensors.find(declared.name);
    if (found == tensors.end())
      refuse(where, fmt::format("no input {}", in_quotes(declared.name)),
             fmt::format("one for each of the model's inputs: {}", names_of(model.inputs)));
    const Tensor& tensor = found->second;
    if (tensor.type() != declared.type || !has_declared_shape(tensor, declared))
      refuse(where,
             fmt::format("input {} is {} {}", in_quotes(declared.name), onnx_name(tensor.type()),
                         to_string(tensor.shape())),
             fmt::format("{} as the model declares", declaration_text(declared)));
    inputs.notes.push_back(fmt::format("{} {} {}: from {}", escaped(declared.name), onnx_name(tensor.type()),
                                       to_string(tensor.shape()), from.filename().string()));
    inputs.tensors.push_back(std::move(found->second));
    tensors.erase(found);
  }
  if (!tensors.empty())
    refuse(where, fmt::format("{} is no input of the model", in_quotes(tensors.begin()->first)),
           names_of(model.inputs));
  return inputs;
}

}  // namespace cellproof::corpus
