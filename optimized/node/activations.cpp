#include "optimized/node/activations.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include "optimized/node/node.hpp"

namespace cellproof::node {
namespace {

/// Parameters that a function takes.
enum class Takes { Nothing, Alpha, AlphaAndBeta };

struct Row {
  std::string_view name;
  Takes takes;
  Activation defaults;
};

/// One row a function, in the order of the enumeration. Defaults: those of the ONNX operator of the same name. Affine
/// and ScaledTanh, which are operators no longer, are the identity and Tanh.
constexpr Row rows[] = {
    {"Relu", Takes::Nothing, {Function::Relu, 0, 0}},
    {"Tanh", Takes::Nothing, {Function::Tanh, 0, 0}},
    {"Sigmoid", Takes::Nothing, {Function::Sigmoid, 0, 0}},
    {"Affine", Takes::AlphaAndBeta, {Function::Affine, 1, 0}},
    {"LeakyRelu", Takes::Alpha, {Function::LeakyRelu, 0.01F, 0}},
    {"ThresholdedRelu", Takes::Alpha, {Function::ThresholdedRelu, 1, 0}},
    {"ScaledTanh", Takes::AlphaAndBeta, {Function::ScaledTanh, 1, 1}},
    {"HardSigmoid", Takes::AlphaAndBeta, {Function::HardSigmoid, 0.2F, 0.5F}},
    {"Elu", Takes::Alpha, {Function::Elu, 1, 0}},
    {"Softsign", Takes::Nothing, {Function::Softsign, 0, 0}},
    {"Softplus", Takes::Nothing, {Function::Softplus, 0, 0}},
};

constexpr const Row& row_of(Function function) {
  return rows[static_cast<std::size_t>(function)];
}
static_assert(std::ranges::all_of(rows, [](const Row& row) { return &row_of(row.defaults.function) == &row; }));

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto same = [](unsigned char one, unsigned char other) { return std::tolower(one) == std::tolower(other); };
  return std::ranges::equal(a, b, same);
}

const Row& row_named(std::string_view name, std::size_t place) {
  for (const Row& row : rows)
    if (same_but_for_case(row.name, name)) return row;
  std::string known;
  for (const Row& row : rows) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Invalid("activations[" + std::to_string(place) + "] is '" + std::string(name) + "', expected one of " + known +
                " (attribute activations)");
}

std::span<const Function> defaults_of(cellproof_operator op) {
  static constexpr Function lstm[] = {Function::Sigmoid, Function::Tanh, Function::Tanh};
  static constexpr Function gru[] = {Function::Sigmoid, Function::Tanh};
  static constexpr Function rnn[] = {Function::Tanh};
  if (op == CELLPROOF_GRU) return gru;
  if (op == CELLPROOF_RNN) return rnn;
  return lstm;
}

/// ["Tanh", "Tanh"]: RNN's default, which has two names whatever the direction is.
bool is_rnn_default(const cellproof_node& node) {
  const auto is_tanh = [&](std::size_t place) {
    return row_named(node.activations.names[place], place).defaults.function == Function::Tanh;
  };
  return node.op == CELLPROOF_RNN && node.activations.count == 2 && is_tanh(0) && is_tanh(1);
}

/// Throws Invalid for an unknown name, whatever its place, and for a wrong number of them.
void check_names(const cellproof_node& node, std::size_t directions) {
  const std::size_t expected = activations_per_direction(node.op) * directions;
  for (std::size_t place = 0; place < node.activations.count; ++place) row_named(node.activations.names[place], place);
  if (node.activations.count == expected || is_rnn_default(node)) return;
  throw Invalid("activations has " + std::to_string(node.activations.count) + " names, expected " +
                std::to_string(expected) + " for " + std::to_string(directions) +
                (directions == 1 ? " direction" : " directions") + " (attribute activations)");
}

/// activation_alpha or activation_beta, each value of which is taken once, from front to back.
class Stream {
 public:
  explicit Stream(const cellproof_values& values) : values_(values) {}
  void take_into(float& parameter) {
    if (next_ < values_.count) parameter = values_.values[next_++];
  }

 private:
  const cellproof_values& values_;
  std::size_t next_ = 0;
};

}  // namespace

std::size_t activations_per_direction(cellproof_operator op) {
  return defaults_of(op).size();
}

Activations resolve_activations(const cellproof_node& node, std::size_t directions) {
  const std::span<const Function> defaults = defaults_of(node.op);
  const bool written = node.activations.names != nullptr;
  if (written) check_names(node, directions);
  Activations result{};
  Stream alphas(node.activation_alpha), betas(node.activation_beta);
  for (std::size_t place = 0; place < defaults.size() * directions; ++place) {
    const std::size_t d = place / defaults.size(), i = place % defaults.size();
    const Row& row = written ? row_named(node.activations.names[place], place) : row_of(defaults[i]);
    Activation& activation = result.at(d).at(i);
    activation = row.defaults;
    if (row.takes != Takes::Nothing) alphas.take_into(activation.alpha);
    if (row.takes == Takes::AlphaAndBeta) betas.take_into(activation.beta);
  }
  return result;
}

}  // namespace cellproof::node
