#include "corpus/surroundings/seen_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "corpus/message.hpp"
#include "spec/operator.hpp"

namespace cellproof::corpus {
namespace {

bool are_all(const std::vector<bool>& flags) {
  return std::ranges::find(flags, false) == flags.end();
}

void copy_element(const Tensor& from, std::size_t source, Tensor& to, std::size_t target) {
  const std::size_t size = size_of(from.type());
  std::ranges::copy(from.bytes().subspan(source * size, size), to.bytes().subspan(target * size, size).begin());
}

}  // namespace

SeenOutputs::SeenOutputs(const std::vector<std::vector<Shape>>& shapes) {
  for (const std::vector<Shape>& of_node : shapes) {
    nodes_.emplace_back();
    for (const Shape& shape : of_node) {
      const std::size_t count = element_count(shape);
      nodes_.back().push_back({shape, std::vector<bool>(count), std::vector<bool>(count), std::nullopt});
    }
  }
}

void SeenOutputs::add(const std::string& name, const Operand& operand, const std::optional<Tensor>& seen,
                      const std::string& where) {
  const std::string here = fmt::format("output {}", in_quotes(name));
  if (seen && seen->shape() != operand.shape)
    refuse(where, fmt::format("{} of shape {}", here, to_string(seen->shape())),
           to_string(operand.shape) + " as the graph gives");
  for (std::size_t k = 0; k < operand.origins.size(); ++k) {
    const auto [node, output, element] = operand.origins[k];
    Collected& collected = nodes_.at(node).at(output);
    collected.shown.at(element) = true;
    if (!seen) continue;
    auto& values = collected.values;
    if (!values) values.emplace(seen->type(), collected.shape);
    if (values->type() != seen->type())
      refuse(where, fmt::format("{} of type {}", here, onnx_name(seen->type())), onnx_name(values->type()));
    if (collected.seen[element] && values->bits(element) != seen->bits(k))
      refuse(where, fmt::format("{} shows an element of {} that is another elsewhere", here, output_name(output)),
             "one value");
    copy_element(*seen, k, *values, element);
    collected.seen[element] = true;
  }
}

void SeenOutputs::take_last_step_for_state(std::size_t node, Direction direction, bool batchwise) {
  Collected& y = nodes_.at(node).at(output::Y);
  Collected& state = nodes_[node].at(output::Y_h);
  if (are_all(y.shown) || are_all(state.shown)) return;
  const Tensor places(ElementType::Int8, y.shape);
  const std::int64_t steps = y.shape.at(batchwise ? 1 : 0);
  std::vector<bool> last(y.shown.size());
  std::vector<std::size_t> element_of;  // of Y, by element of Y_h
  // Without its axis of steps Y has the axes of Y_h, in their order.
  for (std::size_t k = 0; k < last.size(); ++k) {
    const auto index = places.index_of(k);
    const bool goes_back =
        direction == Direction::Reverse || (direction == Direction::Bidirectional && index[batchwise ? 2 : 1] == 1);
    last[k] = index[batchwise ? 1 : 0] == (goes_back ? 0 : steps - 1);
  }
  if (y.shown != last) return;
  const auto by_state = [&](std::size_t a, std::size_t b) {
    auto first = places.index_of(a), second = places.index_of(b);
    first.erase(first.begin() + (batchwise ? 1 : 0));
    second.erase(second.begin() + (batchwise ? 1 : 0));
    return first < second;
  };
  for (std::size_t k = 0; k < last.size(); ++k)
    if (last[k]) element_of.push_back(k);
  std::ranges::sort(element_of, by_state);
  if (y.values) state.values.emplace(y.values->type(), state.shape);
  for (std::size_t k = 0; k < element_of.size(); ++k) {
    state.shown[k] = true;
    state.seen[k] = y.seen[element_of[k]];
    if (y.values) copy_element(*y.values, element_of[k], *state.values, k);
  }
  y = {y.shape, std::vector<bool>(y.shown.size()), std::vector<bool>(y.shown.size()), std::nullopt};
}

bool SeenOutputs::shows(std::size_t node, std::size_t output) const {
  const std::vector<Collected>& outputs = nodes_.at(node);
  return output < outputs.size() && !outputs[output].shown.empty() && are_all(outputs[output].shown);
}

std::string SeenOutputs::part_text() const {
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    for (std::size_t k = 0; k < nodes_[node].size(); ++k) {
      const std::vector<bool>& shown = nodes_[node][k].shown;
      const auto count = std::ranges::count(shown, true);
      if (count != 0 && !shows(node, k))
        return fmt::format("{} of {} elements of {}", count, shown.size(), output_name(k));
    }
  }
  return "";
}

std::optional<Tensor> SeenOutputs::value(std::size_t node, std::size_t output) const {
  if (!shows(node, output)) return std::nullopt;
  const Collected& collected = nodes_[node][output];
  return are_all(collected.seen) ? collected.values : std::nullopt;
}

}  // namespace cellproof::corpus
