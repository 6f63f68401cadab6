#include "optimized/cpu/activations.hpp"

#include <cctype>
#include <string>
#include <string_view>

namespace cellproof::cpu {
namespace {

struct Row {
  std::string_view name;
  Function function;
  float alpha;
  float beta;
  bool takes_alpha;
  bool takes_beta;
};

/// Defaults: those of the ONNX operator of the same name; Affine and ScaledTanh, which have none today, are the
/// identity and Tanh.
constexpr Row rows[] = {
    {"Relu", Function::Relu, 0, 0, false, false},
    {"Tanh", Function::Tanh, 0, 0, false, false},
    {"Sigmoid", Function::Sigmoid, 0, 0, false, false},
    {"Affine", Function::Affine, 1, 0, true, true},
    {"LeakyRelu", Function::LeakyRelu, 0.01F, 0, true, false},
    {"ThresholdedRelu", Function::ThresholdedRelu, 1, 0, true, false},
    {"ScaledTanh", Function::ScaledTanh, 1, 1, true, true},
    {"HardSigmoid", Function::HardSigmoid, 0.2F, 0.5F, true, true},
    {"Elu", Function::Elu, 1, 0, true, false},
    {"Softsign", Function::Softsign, 0, 0, false, false},
    {"Softplus", Function::Softplus, 0, 0, false, false},
};

bool same_but_for_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
  return true;
}

const Row& row_named(std::string_view name, std::size_t place) {
  for (const Row& row : rows)
    if (same_but_for_case(row.name, name)) return row;
  std::string known;
  for (const Row& row : rows) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Invalid("activations[" + std::to_string(place) + "] is '" + std::string(name) + "', expected one of " + known +
                " (attribute activations)");
}

const Row& row_of(Function function) {
  return rows[static_cast<std::size_t>(function)];
}

/// activation_alpha or activation_beta, read from front to back.
class Stream {
 public:
  explicit Stream(const cellproof_cpu_values& values) : values_(values) {}
  float next_or(float otherwise) { return next_ < values_.count ? values_.values[next_++] : otherwise; }

 private:
  const cellproof_cpu_values& values_;
  std::size_t next_ = 0;
};

constexpr Function lstm_defaults[] = {Function::Sigmoid, Function::Tanh, Function::Tanh};
constexpr Function gru_defaults[] = {Function::Sigmoid, Function::Tanh};
constexpr Function rnn_defaults[] = {Function::Tanh};

const Function* defaults_of(cellproof_cpu_operator op) {
  if (op == CELLPROOF_CPU_GRU) return gru_defaults;
  return op == CELLPROOF_CPU_RNN ? rnn_defaults : lstm_defaults;
}

/// ["Tanh", "Tanh"]: RNN's default, which has two names whatever the direction is.
bool is_rnn_default(const cellproof_cpu_node& node) {
  const auto is_tanh = [&](std::size_t place) {
    return row_named(node.activations.names[place], place).function == Function::Tanh;
  };
  return node.op == CELLPROOF_CPU_RNN && node.activations.count == 2 && is_tanh(0) && is_tanh(1);
}

}  // namespace

std::size_t activations_per_direction(cellproof_cpu_operator op) {
  if (op == CELLPROOF_CPU_GRU) return 2;
  return op == CELLPROOF_CPU_RNN ? 1 : 3;
}

std::array<std::array<Activation, 3>, 2> resolve_activations(const cellproof_cpu_node& node, std::size_t directions) {
  const std::size_t each = activations_per_direction(node.op);
  const bool written = node.activations.names != nullptr;
  if (written)
    for (std::size_t place = 0; place < node.activations.count; ++place)
      row_named(node.activations.names[place], place);
  if (written && node.activations.count != each * directions && !is_rnn_default(node))
    throw Invalid("activations has " + std::to_string(node.activations.count) + " names, expected " +
                  std::to_string(each * directions) + " for " + std::to_string(directions) +
                  (directions == 1 ? " direction" : " directions") + " (attribute activations)");

  std::array<std::array<Activation, 3>, 2> result{};
  Stream alpha(node.activation_alpha), beta(node.activation_beta);
  for (std::size_t d = 0; d < directions; ++d) {
    for (std::size_t i = 0; i < each; ++i) {
      const std::size_t place = d * each + i;
      const Row& row = written ? row_named(node.activations.names[place], place) : row_of(defaults_of(node.op)[i]);
      result[d][i] = {row.function, row.takes_alpha ? alpha.next_or(row.alpha) : 0,
                      row.takes_beta ? beta.next_or(row.beta) : 0};
    }
  }
  return result;
}

}  // namespace cellproof::cpu
