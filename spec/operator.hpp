#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cellproof {

enum class Operator { LSTM, GRU, RNN, DynamicQuantizeLSTM };

/// "LSTM", "GRU", "RNN", "DynamicQuantizeLSTM": ONNX's op_type.
std::string_view name(Operator op);
/// "" (ai.onnx) or "com.microsoft".
std::string_view domain(Operator op);
/// Gates stacked in W, R and B: 4, 3, 1, 4.
int gate_count(Operator op);
/// Activations per direction: 3 (f, g, h), 2 (f, g), 1 (f), 3.
int activation_count(Operator op);
/// Does the cell carry a cell state C (initial_c, Y_c, P)?
bool has_cell_state(Operator op);
/// Are W and R bytes with scales, transposed?
bool is_quantised(Operator op);

/// One version of an operator: the opset in which it came, ONNX's since_version.
struct OperatorVersion {
  Operator op = Operator::LSTM;
  int since_version = 22;
  friend auto operator<=>(const OperatorVersion&, const OperatorVersion&) = default;
};

/// "LSTM-22"
std::string to_string(OperatorVersion version);
/// The inverse; nullopt for anything that is not one of all_operator_versions().
std::optional<OperatorVersion> operator_version_named(std::string_view text);

/// LSTM, GRU, RNN, DynamicQuantizeLSTM.
std::span<const Operator> all_operators();

/// LSTM 1 7 14 22, GRU 1 3 7 14 22, RNN 1 7 14 22, DynamicQuantizeLSTM 1: by operator, oldest first.
std::span<const OperatorVersion> all_operator_versions();

/// The newest version of the operator.
OperatorVersion newest(Operator op);
bool is_newest(OperatorVersion version);

/// The version that `op` has in a model which imports `opset` of its domain; nullopt when opset < 1.
std::optional<OperatorVersion> version_in_opset(Operator op, int opset);

/// Positions of inputs and outputs in a node, the same for all operators (GRU and RNN end at initial_h).
namespace input {
inline constexpr std::size_t X = 0, W = 1, R = 2, B = 3, sequence_lens = 4, initial_h = 5, initial_c = 6, P = 7;
inline constexpr std::size_t W_scale = 8, W_zero_point = 9, R_scale = 10, R_zero_point = 11;
}  // namespace input
namespace output {
inline constexpr std::size_t Y = 0, Y_h = 1, Y_c = 2;
}  // namespace output

/// The formal names in the order of the positions: X W R B sequence_lens initial_h [initial_c P [W_scale ...]].
std::span<const std::string_view> input_names(Operator op);
/// Y Y_h [Y_c]
std::span<const std::string_view> output_names(Operator op);
/// The name of an output, which is the same for every operator that has it.
std::string_view output_name(std::size_t position);
std::optional<std::size_t> output_named(std::string_view name);

}  // namespace cellproof
