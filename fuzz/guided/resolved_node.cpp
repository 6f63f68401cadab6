#include "fuzz/guided/resolved_node.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::fuzz {
namespace {

std::vector<double> all_values(const Tensor& tensor) {
  std::vector<double> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.value(i);
  return values;
}

/// Part number `part` of `parts` equal ones.
std::vector<double> part_of(const std::vector<double>& values, std::size_t part, std::size_t parts) {
  const std::size_t size = values.size() / parts;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(part * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

std::vector<double> state(const Problem& problem, std::size_t position, const ResolvedNode& node, std::size_t D) {
  const Tensor* tensor = problem.input(position);
  if (!tensor) return std::vector<double>(D * node.N * node.H, 0.0);
  const auto values = all_values(*tensor);
  return node.batch_first ? with_axes_swapped(values, node.N, D, node.H) : values;
}

/// Takes the next unread value, or the default once there are none.
float next_of(const std::optional<std::vector<float>>& list, std::size_t& read, std::optional<float> otherwise) {
  if (list && read < list->size()) return (*list)[read++];
  return *otherwise;
}

std::vector<ResolvedFunction> functions_of(const Problem& problem, std::size_t D) {
  const auto& defaults = rules_of(problem.version).default_activations;
  const std::size_t expected = D * defaults.size();
  std::vector<std::string> names;
  if (const auto& given = problem.attributes.activations; given && !given->empty()) {
    names.assign(given->begin(), given->end());
  } else {
    for (std::size_t d = 0; d < D; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (problem.version.op == Operator::RNN && D == 1 && names.size() == 2)
    names.resize(1);  // the schema's own default list
  if (names.size() != expected)
    throw std::invalid_argument("activations: expected " + std::to_string(expected) + " names");
  std::vector<ResolvedFunction> functions;
  std::size_t alphas_read = 0, betas_read = 0;
  for (const std::string& name : names) {
    const ActivationInfo* info = activation_named(name);
    if (!info) throw std::invalid_argument("activations: unknown function " + name);
    ResolvedFunction function{.name = info->name};
    if (info->uses_alpha)
      function.alpha = next_of(problem.attributes.activation_alpha, alphas_read, info->default_alpha);
    if (info->uses_beta) function.beta = next_of(problem.attributes.activation_beta, betas_read, info->default_beta);
    functions.push_back(function);
  }
  return functions;
}

}  // namespace

ResolvedNode resolve(const Problem& problem) {
  if (is_quantised(problem.version.op)) throw std::invalid_argument("DynamicQuantizeLSTM is not a float cell");
  const Attributes& attributes = problem.attributes;
  const Dimensions size = dimensions_of(problem);
  const auto D = static_cast<std::size_t>(size.D);
  const auto gates = static_cast<std::size_t>(gate_count(problem.version.op));
  ResolvedNode node;
  node.op = problem.version.op;
  node.type = problem.input(input::X)->type();
  node.T = static_cast<std::size_t>(size.T);
  node.N = static_cast<std::size_t>(size.N);
  node.I = static_cast<std::size_t>(size.I);
  node.H = static_cast<std::size_t>(size.H);
  node.batch_first = attributes.layout.value_or(0) != 0;
  node.clip = attributes.clip;
  node.coupled = attributes.input_forget.value_or(0) != 0;
  node.linear_before_reset = attributes.linear_before_reset.value_or(0) != 0;
  node.X = all_values(*problem.input(input::X));
  if (node.batch_first) node.X = with_axes_swapped(node.X, node.N, node.T, node.I);
  node.lengths.assign(node.N, node.T);
  if (const Tensor* lengths = problem.input(input::sequence_lens)) {
    for (std::size_t n = 0; n < node.N; ++n) node.lengths[n] = static_cast<std::size_t>(lengths->integer(n));
  }

  const auto W = all_values(*problem.input(input::W)), R = all_values(*problem.input(input::R));
  const Tensor* B = problem.input(input::B);
  const auto b = B ? all_values(*B) : std::vector<double>(D * 2 * gates * node.H, 0.0);
  const Tensor* P = has_cell_state(node.op) ? problem.input(input::P) : nullptr;
  const auto h = state(problem, input::initial_h, node, D);
  const auto c = has_cell_state(node.op) ? state(problem, input::initial_c, node, D) : std::vector<double>{};
  const auto functions = functions_of(problem, D);
  for (std::size_t d = 0; d < D; ++d) {
    ResolvedDirection direction;
    direction.reverse = d == 1 || attributes.direction == "reverse";
    direction.W = part_of(W, d, D);
    direction.R = part_of(R, d, D);
    direction.Wb = part_of(b, 2 * d, 2 * D);
    direction.Rb = part_of(b, 2 * d + 1, 2 * D);
    if (P) direction.P = part_of(all_values(*P), d, D);
    direction.h = part_of(h, d, D);
    direction.c = part_of(c, d, D);
    const auto first = functions.begin() + static_cast<std::ptrdiff_t>(d * functions.size() / D);
    direction.functions.assign(first, first + static_cast<std::ptrdiff_t>(functions.size() / D));
    node.directions.push_back(direction);
  }
  return node;
}

std::vector<double> with_axes_swapped(const std::vector<double>& values, std::size_t outer, std::size_t middle,
                                      std::size_t inner) {
  std::vector<double> result(values.size());
  for (std::size_t a = 0; a < outer; ++a) {
    for (std::size_t b = 0; b < middle; ++b) {
      for (std::size_t c = 0; c < inner; ++c)
        result[(b * outer + a) * inner + c] = values[(a * middle + b) * inner + c];
    }
  }
  return result;
}

}  // namespace cellproof::fuzz
