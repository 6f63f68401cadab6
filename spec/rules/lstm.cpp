#include <cstdint>
#include <string>

#include "spec/rules/operator_table.hpp"

namespace cellproof::rules {

/// Pages LSTM-1, LSTM-7, LSTM-14, LSTM-22.
const OperatorTable& lstm_table() {
  using enum Need;
  using enum AttributeType;
  using Type = ElementType;
  static const OperatorTable table = {
      .op = Operator::LSTM,
      // name, need, type, shape with layout 0, shape with layout 1
      .inputs = {{{"X", Required, "T", "[T,N,I]", "[N,T,I]"}},
                 {{"W", Required, "T", "[D,4H,I]", "[D,4H,I]"}},
                 {{"R", Required, "T", "[D,4H,H]", "[D,4H,H]"}},
                 {{"B", Optional, "T", "[D,8H]", "[D,8H]"}},
                 {{"sequence_lens", Optional, "T1", "[N]", "[N]"}},
                 {{"initial_h", Optional, "T", "[D,N,H]", "[N,D,H]"}},
                 {{"initial_c", Optional, "T", "[D,N,H]", "[N,D,H]"}},
                 {{"P", Optional, "T", "[D,3H]", "[D,3H]"}}},
      .outputs = {{{"Y", Optional, "T", "[T,D,N,H]", "[N,T,D,H]"}},
                  {{"Y_h", Optional, "T", "[D,N,H]", "[N,D,H]"}},
                  {{"Y_c", Optional, "T", "[D,N,H]", "[N,D,H]"}}},
      .attributes = {{"activation_alpha", Floats},
                     {"activation_beta", Floats},
                     {"activations", Strings},
                     {"clip", Float},
                     {"direction", String, std::string("forward")},
                     {"hidden_size", Int},
                     {"input_forget", Int, std::int64_t{0}},
                     {"layout", Int, std::int64_t{0}, {.since = 14}},
                     {"output_sequence", Int, std::int64_t{0}, {.until = 7}}},
      .types = {{{"T", {Type::Float16, Type::Float, Type::Double}}, {.until = 22}},
                {{"T", {Type::BFloat16, Type::Float16, Type::Float, Type::Double}}, {.since = 22}},
                {{"T1", {Type::Int32}}}},
      .slots = {"f", "g", "h"},
      .default_activations = {"Sigmoid", "Tanh", "Tanh"},
      .gates = "iofc",
  };
  return table;
}

}  // namespace cellproof::rules
