#include "spec/rules/node_facts.hpp"

namespace cellproof::rules {
namespace {

std::optional<Direction> direction_of(const Attributes& attributes) {
  return attributes.direction ? direction_named(*attributes.direction) : Direction::Forward;
}

/// A weight's sizes: how many gate rows it stacks, and how long each row is. DynamicQuantizeLSTM has them the other way
/// round.
struct Weight {
  std::int64_t rows;
  std::int64_t columns;
};

std::optional<Weight> weight_at(const Problem& problem, std::size_t position) {
  const Tensor* tensor = problem.input(position);
  if (tensor == nullptr || tensor->rank() != 3) return std::nullopt;
  const Shape& shape = tensor->shape();
  const bool transposed = is_quantised(problem.version.op);
  return Weight{.rows = shape[transposed ? 2 : 1], .columns = shape[transposed ? 1 : 2]};
}

bool stacks(const Weight& weight, std::int64_t gates, std::int64_t hidden) {
  return weight.rows % gates == 0 && weight.rows / gates == hidden;
}

/// H as the weights have it: R's, unless W alone is sound.
std::optional<std::int64_t> hidden_size_of(const std::optional<Weight>& w, const std::optional<Weight>& r,
                                           std::int64_t gates) {
  const bool r_is_sound = r && stacks(*r, gates, r->columns);
  const bool w_can_tell = w && w->rows % gates == 0 && (!r || w->rows == r->rows);
  if (!r_is_sound && w_can_tell) return w->rows / gates;
  return r ? std::optional(r->columns) : std::nullopt;
}

/// H by the evidence: hidden_size, unless R and W both speak against it.
void find_hidden_size(NodeFacts& facts) {
  const std::int64_t gates = gate_count(facts.problem.version.op);
  const auto w = weight_at(facts.problem, input::W);
  const auto r = weight_at(facts.problem, input::R);
  const std::optional<std::int64_t> from_weights = hidden_size_of(w, r, gates);
  const auto& written = facts.problem.attributes.hidden_size;
  if (!written || *written <= 0) {
    facts.sizes.H = from_weights;
    return;
  }
  facts.hidden_size_mismatch = w && r && from_weights && *from_weights != *written &&
                               stacks(*w, gates, *from_weights) && stacks(*r, gates, *from_weights);
  facts.sizes.H = facts.hidden_size_mismatch ? from_weights : written;
}

void find_activations(NodeFacts& facts) {
  const std::size_t directions = facts.direction == Direction::Bidirectional ? 2 : 1;
  const std::size_t places = facts.rules.slots.size() * directions;
  const auto& written = facts.problem.attributes.activations;
  for (std::size_t place = 0; place < places; ++place) {
    if (!written) {
      facts.activations.push_back(
          activation_exactly(facts.rules.default_activations[place % facts.rules.slots.size()]));
    } else if (place < written->size()) {
      facts.activations.push_back(activation_named((*written)[place]));
    }
  }
}

void find_lengths(NodeFacts& facts) {
  const Tensor* tensor = facts.problem.input(input::sequence_lens);
  if (tensor == nullptr || tensor->rank() != 1 || is_floating_point(tensor->type())) return;
  std::vector<std::int64_t> lengths(tensor->size());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = tensor->integer(i);
  facts.lengths = std::move(lengths);
}

}  // namespace

NodeFacts facts_of(const Problem& problem, const OperatorRules& rules) {
  NodeFacts facts{.problem = problem,
                  .rules = rules,
                  .direction = direction_of(problem.attributes),
                  .layout1 = problem.attributes.layout.value_or(0) != 0,
                  .sizes = {},
                  .hidden_size_mismatch = false,
                  .activations = {},
                  .lengths = std::nullopt};
  if (facts.direction) facts.sizes.D = facts.direction == Direction::Bidirectional ? 2 : 1;
  const Tensor* x = problem.input(input::X);
  if (x != nullptr && x->rank() == 3) {
    const bool batch_first = facts.shape_of(rules.inputs[input::X]).starts_with("[N");
    facts.sizes.T = x->shape()[batch_first ? 1 : 0];
    facts.sizes.N = x->shape()[batch_first ? 0 : 1];
    facts.sizes.I = x->shape()[2];
  }
  find_hidden_size(facts);
  find_activations(facts);
  find_lengths(facts);
  return facts;
}

}  // namespace cellproof::rules
