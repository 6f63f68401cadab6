#include <cstdint>
#include <string>

#include "spec/rules/operator_table.hpp"

namespace cellproof::rules {

/// Page com.microsoft DynamicQuantizeLSTM-1. It prints every default as "?" and lists no types: the defaults are those
/// of the schema that ONNX Runtime registers, the types those of its kernel.
const OperatorTable& dynamic_quantize_lstm_table() {
  using enum Need;
  using enum AttributeType;
  using Type = ElementType;
  static const OperatorTable table = {
      .op = Operator::DynamicQuantizeLSTM,
      // name, need, type, shape, shape again: there is no attribute layout
      .inputs = {{{"X", Required, "T", "[T,N,I]", "[T,N,I]"}},
                 {{"W", Required, "T2", "[D,I,4H]", "[D,I,4H]"}},
                 {{"R", Required, "T2", "[D,H,4H]", "[D,H,4H]"}},
                 {{"B", Optional, "T", "[D,8H]", "[D,8H]"}},
                 {{"sequence_lens", Optional, "T1", "[N]", "[N]"}},
                 {{"initial_h", Optional, "T", "[D,N,H]", "[D,N,H]"}},
                 {{"initial_c", Optional, "T", "[D,N,H]", "[D,N,H]"}},
                 {{"P", Optional, "T", "[D,3H]", "[D,3H]"}},
                 {{"W_scale", Required, "T", "[D] or [D,4H]", "[D] or [D,4H]"}},
                 {{"W_zero_point", Required, "T2", "[D] or [D,4H]", "[D] or [D,4H]"}},
                 {{"R_scale", Required, "T", "[D] or [D,4H]", "[D] or [D,4H]"}},
                 {{"R_zero_point", Required, "T2", "[D] or [D,4H]", "[D] or [D,4H]"}}},
      .outputs = {{{"Y", Optional, "T", "[T,D,N,H]", "[T,D,N,H]"}},
                  {{"Y_h", Optional, "T", "[D,N,H]", "[D,N,H]"}},
                  {{"Y_c", Optional, "T", "[D,N,H]", "[D,N,H]"}}},
      .attributes = {{"activation_alpha", Floats},
                     {"activation_beta", Floats},
                     {"activations", Strings},
                     {"clip", Float},
                     {"direction", String, std::string("forward")},
                     {"hidden_size", Int},
                     {"input_forget", Int, std::int64_t{0}}},
      .types = {{{"T", {Type::Float}}}, {{"T1", {Type::Int32}}}, {{"T2", {Type::UInt8, Type::Int8}}}},
      .slots = {"f", "g", "h"},
      .default_activations = {"Sigmoid", "Tanh", "Tanh"},
      .gates = "iofc",
  };
  return table;
}

}  // namespace cellproof::rules
