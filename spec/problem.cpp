#include "spec/problem.hpp"

#include <stdexcept>
#include <string>

#include "spec/name_table.hpp"

namespace cellproof {
namespace {

constexpr NameTable<3> sources = {"initializer", "graph", "constant"};
constexpr NameTable<3> directions = {"forward", "reverse", "bidirectional"};

const Tensor& rank_3_input(const Problem& problem, std::size_t position, const char* formal_name) {
  const Tensor* tensor = problem.input(position);
  if (!tensor) throw std::invalid_argument(std::string("dimensions_of: ") + formal_name + " is not given");
  if (tensor->rank() != 3) {
    throw std::invalid_argument(std::string("dimensions_of: ") + formal_name + " has shape " +
                                to_string(tensor->shape()) + ", expected rank 3");
  }
  return *tensor;
}

}  // namespace

std::string_view name(Source source) {
  return sources.at(static_cast<std::size_t>(source));
}

std::optional<Source> source_named(std::string_view text) {
  return find_name<Source>(sources, text);
}

bool shares_states(const Problem& problem) {
  if (problem.presentation.states == States::Own || problem.inputs.size() <= input::initial_c) return false;
  const Input &h = problem.inputs[input::initial_h], &c = problem.inputs[input::initial_c];
  return h.presence == Presence::Given && c.presence == Presence::Given && h.source == c.source && h.tensor == c.tensor;
}

bool is_fed(const Problem& problem, std::size_t position) {
  const Input& input = problem.inputs.at(position);
  if (input.presence != Presence::Given || input.source != Source::GraphInput) return false;
  return position != input::initial_c || !shares_states(problem);
}

std::string_view name(Direction direction) {
  return directions.at(static_cast<std::size_t>(direction));
}

std::optional<Direction> direction_named(std::string_view text) {
  return find_name<Direction>(directions, text);
}

const Tensor* Problem::input(std::size_t position) const {
  if (position >= inputs.size() || !inputs[position].tensor) return nullptr;
  return &*inputs[position].tensor;
}

bool Problem::asks_for(std::size_t output_position) const {
  return output_position < outputs.size() && outputs[output_position] == Presence::Given;
}

Dimensions dimensions_of(const Problem& problem) {
  const Shape& x = rank_3_input(problem, input::X, "X").shape();
  const Shape& r = rank_3_input(problem, input::R, "R").shape();
  const bool transposed_weights = is_quantised(problem.version.op);  // R is [D,H,4H] there
  const bool batch_first = !transposed_weights && problem.attributes.layout.value_or(0) != 0;
  const auto& direction = problem.attributes.direction;
  const bool both = direction && direction_named(*direction) == Direction::Bidirectional;
  return {.T = x[batch_first ? 1 : 0],
          .N = x[batch_first ? 0 : 1],
          .I = x[2],
          .H = r[transposed_weights ? 1 : 2],
          .D = both ? 2 : 1};
}

}  // namespace cellproof
