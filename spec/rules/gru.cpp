#include <cstdint>
#include <string>

#include "spec/rules/operator_table.hpp"

namespace cellproof::rules {

/// Pages GRU-1, GRU-3, GRU-7, GRU-14, GRU-22.
const OperatorTable& gru_table() {
  using enum Need;
  using enum AttributeType;
  using Type = ElementType;
  static const OperatorTable table = {
      .op = Operator::GRU,
      // name, need, type, shape with layout 0, shape with layout 1
      .inputs = {{{"X", Required, "T", "[T,N,I]", "[N,T,I]"}},
                 {{"W", Required, "T", "[D,3H,I]", "[D,3H,I]"}},
                 {{"R", Required, "T", "[D,3H,H]", "[D,3H,H]"}},
                 {{"B", Optional, "T", "[D,6H]", "[D,6H]"}},
                 {{"sequence_lens", Optional, "T1", "[N]", "[N]"}},
                 {{"initial_h", Optional, "T", "[D,N,H]", "[N,D,H]"}}},
      .outputs = {{{"Y", Optional, "T", "[T,D,N,H]", "[N,T,D,H]"}},
                  {{"Y_h", Required, "T", "[D,N,H]", "[N,D,H]"}, {.until = 3}},
                  {{"Y_h", Optional, "T", "[D,N,H]", "[N,D,H]"}, {.since = 3}}},
      .attributes = {{"activation_alpha", Floats},
                     {"activation_beta", Floats},
                     {"activations", Strings},
                     {"clip", Float},
                     // As the schema of GRU-1 has it; forward is meant (clause gru1-direction-default).
                     {"direction", String, std::string("foward"), {.until = 3}},
                     {"direction", String, std::string("forward"), {.since = 3}},
                     {"hidden_size", Int},
                     {"layout", Int, std::int64_t{0}, {.since = 14}},
                     {"linear_before_reset", Int, std::int64_t{0}, {.since = 3}},
                     {"output_sequence", Int, std::int64_t{0}, {.until = 7}}},
      .types = {{{"T", {Type::Float16, Type::Float, Type::Double}}, {.until = 22}},
                {{"T", {Type::BFloat16, Type::Float16, Type::Float, Type::Double}}, {.since = 22}},
                {{"T1", {Type::Int32}}}},
      .slots = {"f", "g"},
      .default_activations = {"Sigmoid", "Tanh"},
      .gates = "zrh",
  };
  return table;
}

}  // namespace cellproof::rules
