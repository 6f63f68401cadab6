#include "campaign/failing_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "corpus/backend_test.hpp"

namespace cellproof::campaign {
namespace {

/// A name that any file system takes; the place in the graph keeps names apart that only such characters tell apart.
std::string folder_name(const std::string& path, std::size_t place) {
  constexpr std::size_t longest = 80;
  std::string name = path.substr(0, longest);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  return fmt::format("{}-{}", place, name);
}

bool has_open_sizes(const corpus::WholeModel& model) {
  return std::ranges::any_of(model.inputs, [](const corpus::DeclaredTensor& input) {
    return !input.shape || std::ranges::any_of(*input.shape, [](const auto& size) { return !size.size; });
  });
}

}  // namespace

std::string write_failing_nodes(const corpus::WholeModel& model, const CheckedModel& checked,
                                const std::filesystem::path& folder) {
  std::string text;
  for (std::size_t k = 0; k < checked.nodes.size(); ++k) {
    const CheckedNode& node = checked.nodes[k];
    if (!node.failing_call) continue;
    auto problem = node.failing_call->problem;
    if (has_open_sizes(model)) problem.presentation.dims = Dims::All;
    const auto target = folder / folder_name(checked.engine.name, 0).substr(2) / folder_name(node.node->path, k);
    corpus::write_backend_test(target, problem, node.failing_call->outputs, std::nullopt, std::nullopt, "");
    text += fmt::format(
        "{0}: `cellproof check {1}` judges it again, `cellproof replay {1} --engine {2}` runs it again, `cellproof "
        "reduce {1} --engine {2} -o {1}-small` makes it small\n",
        node.node->path, target.string(), checked.engine.name);
  }
  return text;
}

}  // namespace cellproof::campaign
