#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "corpus/backend_test.hpp"
#include "corpus/files.hpp"
#include "corpus/message.hpp"
#include "corpus/models/numpy_files.hpp"
#include "corpus/surroundings/node_among_moves.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

/// Protobuf's own limit.
constexpr std::uint64_t largest_protobuf = std::numeric_limits<int>::max();
constexpr std::uint64_t largest_json = 1 << 20;
constexpr std::size_t shown_of_long_path = 80;

[[noreturn]] void cannot_read(const fs::path& directory, const std::error_code& error) {
  throw CorpusError(fmt::format("{}: cannot read the directory: {}", directory.string(), error.message()));
}

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> result;
  for (auto it = fs::directory_iterator(directory, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    result.push_back(it->path());
  }
  if (error) cannot_read(directory, error);
  std::sort(result.begin(), result.end());
  return result;
}

/// K of PREFIX + K + SUFFIX; nullopt for any other name.
std::optional<int> number_in(const std::string& name, std::string_view prefix, std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  const char* first = name.data() + prefix.size();
  const char* last = name.data() + name.size() - suffix.size();
  int number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc{} || end != last || number < 0) return {};
  return number;
}

/// Refuses PREFIX_K.pb with K >= count: a file that belongs to no graph input or output.
void refuse_surplus(const fs::path& data_set, std::string_view prefix, std::size_t count) {
  for (const auto& entry : entries_of(data_set)) {
    const auto number = number_in(entry.filename().string(), prefix, ".pb");
    if (number && static_cast<std::size_t>(*number) >= count) {
      refuse(entry.string(), "a tensor file too many", fmt::format("{} as the graph has", count));
    }
  }
}

Tensor read_tensor_file(const fs::path& file) {
  return from_tensor_proto(read_file(file, largest_protobuf), file.string(), file.parent_path().string());
}

/// The arrays of inputs.npz or outputs.npz, by name; nullopt where there is no such file. Throws CorpusError for an
/// array of another name.
std::optional<std::map<std::string, Tensor>> read_arrays(const fs::path& file, const std::vector<std::string>& names) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
  std::map<std::string, Tensor> arrays = from_npz(read_file(file, largest_protobuf), file.string());
  for (const auto& [name, tensor] : arrays)
    if (std::ranges::find(names, name) == names.end())
      refuse(file.string(), fmt::format("an array {}", in_quotes(name)), fmt::format("{}", fmt::join(names, ", ")));
  return arrays;
}

std::vector<Tensor> read_inputs(const std::vector<std::string>& names, const fs::path& data_set) {
  std::vector<Tensor> result;
  const fs::path file = data_set / "inputs.npz";
  if (const auto arrays = read_arrays(file, names)) {
    for (const std::string& name : names) {
      const auto found = arrays->find(name);
      if (found == arrays->end())
        refuse(file.string(), fmt::format("no array {}", in_quotes(name)), "one for each graph input");
      result.push_back(found->second);
    }
    return result;
  }
  refuse_surplus(data_set, "input_", names.size());
  std::error_code error;
  if (!names.empty() && !fs::exists(fs::symlink_status(data_set / "input_0.pb", error)))
    refuse(data_set.string(), "no inputs", "inputs.npz, or input_K.pb for each graph input");
  for (std::size_t i = 0; i < names.size(); ++i)
    result.push_back(read_tensor_file(data_set / fmt::format("input_{}.pb", i)));
  return result;
}

/// By graph output; nullopt where there is no file, or no array.
Outputs read_outputs(const std::vector<std::string>& names, const fs::path& data_set) {
  Outputs result(names.size());
  std::error_code error;
  if (!fs::is_directory(data_set, error)) return result;  // a foreign run that brought nothing for this data set
  if (const auto arrays = read_arrays(data_set / "outputs.npz", names)) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto found = arrays->find(names[i]); found != arrays->end()) result[i] = found->second;
    return result;
  }
  refuse_surplus(data_set, "output_", names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const fs::path file = data_set / fmt::format("output_{}.pb", i);
    if (fs::exists(fs::symlink_status(file, error))) result[i] = read_tensor_file(file);
  }
  return result;
}

Outputs by_node_output(const ModelNode& model, Outputs by_graph_output) {
  Outputs result(model.problem.outputs.size());
  for (std::size_t i = 0; i < by_graph_output.size(); ++i)
    result[model.output_positions[i]] = std::move(by_graph_output[i]);
  return result;
}

/// Arrays are saved by whoever has them, so a node is not asked for one that outputs.npz leaves out. A tensor file that
/// is missing is an output that an engine did not give.
bool are_saved_arrays(const fs::path& data_set) {
  std::error_code error;
  return fs::exists(fs::symlink_status(data_set / "outputs.npz", error));
}

void ask_for_seen(Problem& problem, const Outputs& seen) {
  if (std::ranges::none_of(seen, [](const auto& output) { return output.has_value(); })) return;
  for (std::size_t k = 0; k < problem.outputs.size(); ++k)
    if (k >= seen.size() || !seen[k]) problem.outputs[k] = Presence::Empty;
}

std::string string_member(const nlohmann::json& object, const char* key, const fs::path& file) {
  if (!object.contains(key)) return "";
  if (!object[key].is_string()) refuse(file.string(), fmt::format("cellproof.{} is no string", key), "a string");
  return object[key].get<std::string>();
}

void read_description(const fs::path& file, BackendTest& test) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return;
  const auto json = nlohmann::json::parse(read_file(file, largest_json), nullptr, false);
  if (json.is_discarded() || !json.is_object())
    refuse(file.string(), "no JSON object", "an object as docs/corpus.md shows");
  if (!json.contains("cellproof")) return;
  const auto& own = json["cellproof"];
  if (!own.is_object()) refuse(file.string(), "\"cellproof\" is no object", "an object as docs/corpus.md shows");
  test.case_line = string_member(own, "case", file);
  const std::string expect = string_member(own, "expect", file);
  const std::string clause = string_member(own, "clause", file);
  if (expect == "refuse") {
    test.refuse_clause = clause;
  } else if (!expect.empty() && expect != "accept") {
    refuse(file.string(), fmt::format("cellproof.expect is {}", in_quotes(expect)), "\"refuse\" or \"accept\"");
  }
}

std::vector<std::pair<int, fs::path>> data_sets_of(const fs::path& directory) {
  std::vector<std::pair<int, fs::path>> result;
  for (const auto& entry : entries_of(directory)) {
    const auto number = number_in(entry.filename().string(), "test_data_set_", "");
    std::error_code error;
    if (number && fs::is_directory(entry, error)) result.emplace_back(*number, entry);
  }
  if (result.empty()) refuse(directory.string(), "no test data", "at least one directory test_data_set_N");
  std::sort(result.begin(), result.end());
  return result;
}

/// The folders in a folder that are searched, too. No link is followed: what it leads to lies here anyway, or has not
/// been asked for.
std::vector<fs::path> folders_in(const fs::path& directory, bool& holds_model) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (auto it = fs::directory_iterator(directory, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    holds_model = holds_model || name == "model.onnx";
    // The directory itself says what its entries are, so that none is too deep to be asked.
    std::error_code unknown;
    if (!name.starts_with('.') && !it->is_symlink(unknown) && it->is_directory(unknown)) folders.push_back(it->path());
  }
  if (error == std::errc::filename_too_long)
    refuse(directory.string().substr(0, shown_of_long_path) + "...", "folders in folders too deep to be named",
           fmt::format("paths of less than {} bytes", PATH_MAX));
  if (error) cannot_read(directory, error);
  return folders;
}

}  // namespace

BackendTest read_backend_test(const fs::path& directory, const fs::path& outputs_from) {
  const fs::path file = directory / "model.onnx";
  const std::string bytes = read_file(file, largest_protobuf);
  const auto surrounded = NodesAmongMoves::read(bytes, file.string(), directory.string());
  const ModelNode model = surrounded ? ModelNode{} : from_model(bytes, file.string(), directory.string());
  BackendTest test;
  test.path = directory;
  test.opset = model.opset;
  read_description(directory / "data.json", test);
  for (const auto& [number, data_set] : data_sets_of(directory)) {
    const fs::path foreign = outputs_from.empty() ? data_set : outputs_from / data_set.filename();
    if (surrounded) {
      std::vector<JoinedNode> nodes =
          surrounded->seen(read_inputs(surrounded->graph_inputs(), data_set),
                           read_outputs(surrounded->graph_outputs(), foreign), data_set.string());
      test.opset = nodes.front().opset;
      if (nodes.size() == 1)
        test.data_sets.push_back({number, std::move(nodes.front().problem), std::move(nodes.front().outputs)});
      else
        test.data_sets.push_back({number, {}, {}, std::move(nodes)});
    } else {
      test.data_sets.push_back({number,
                                bind_inputs(model, read_inputs(model.graph_inputs, data_set), data_set.string()),
                                by_node_output(model, read_outputs(model.graph_outputs, foreign))});
    }
    if (!are_saved_arrays(foreign)) continue;
    DataSet& added = test.data_sets.back();
    ask_for_seen(added.problem, added.outputs);
    for (JoinedNode& node : added.joined) ask_for_seen(node.problem, node.outputs);
  }
  return test;
}

std::vector<fs::path> find_backend_tests(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) refuse(root.string(), "no directory", "a directory with backend tests in it");
  std::vector<fs::path> found, open{root};
  while (!open.empty()) {
    const fs::path directory = std::move(open.back());
    open.pop_back();
    bool holds_model = false;
    std::vector<fs::path> inner = folders_in(directory, holds_model);
    if (holds_model) found.push_back(directory);
    std::move(inner.begin(), inner.end(), std::back_inserter(open));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace cellproof::corpus
