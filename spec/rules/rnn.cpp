#include <cstdint>
#include <string>

#include "spec/rules/operator_table.hpp"

namespace cellproof::rules {

/// Pages RNN-1, RNN-7, RNN-14, RNN-22.
const OperatorTable& rnn_table() {
  using enum Need;
  using enum AttributeType;
  using Type = ElementType;
  static const OperatorTable table = {
      .op = Operator::RNN,
      // name, need, type, shape with layout 0, shape with layout 1
      .inputs = {{{"X", Required, "T", "[T,N,I]", "[N,T,I]"}},
                 {{"W", Required, "T", "[D,H,I]", "[D,H,I]"}},
                 {{"R", Required, "T", "[D,H,H]", "[D,H,H]"}},
                 {{"B", Optional, "T", "[D,2H]", "[D,2H]"}},
                 {{"sequence_lens", Optional, "T1", "[N]", "[N]"}},
                 {{"initial_h", Optional, "T", "[D,N,H]", "[N,D,H]"}}},
      .outputs = {{{"Y", Optional, "T", "[T,D,N,H]", "[N,T,D,H]"}}, {{"Y_h", Optional, "T", "[D,N,H]", "[N,D,H]"}}},
      .attributes = {{"activation_alpha", Floats},
                     {"activation_beta", Floats},
                     // Two names whatever the direction (clause activation-count).
                     {"activations", Strings, std::vector<std::string>{"Tanh", "Tanh"}},
                     {"clip", Float},
                     {"direction", String, std::string("forward")},
                     {"hidden_size", Int},
                     {"layout", Int, std::int64_t{0}, {.since = 14}},
                     {"output_sequence", Int, std::int64_t{0}, {.until = 7}}},
      .types = {{{"T", {Type::Float16, Type::Float, Type::Double}}, {.until = 22}},
                {{"T", {Type::BFloat16, Type::Float16, Type::Float, Type::Double}}, {.since = 22}},
                {{"T1", {Type::Int32}}}},
      .slots = {"f"},
      .default_activations = {"Tanh"},
      .gates = "i",
  };
  return table;
}

}  // namespace cellproof::rules
